#!/usr/bin/env node
// The same bot as bot.py, in JavaScript: it lays round trips when it can and otherwise moves at random.
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "now" && message.legal.length) {
    const moves = message.legal.map((choice) => choice.move);
    const laying = moves.filter((move) => move.do === "lay");
    const move = laying[0] ?? moves[Math.floor(Math.random() * moves.length)];
    const answer = { type: "move", id: String(message.n), at: message.n, move };
    process.stdout.write(JSON.stringify(answer) + "\n");
  } else if (message.type === "refused") {
    console.error(message.reason);
  }
}
