#!/usr/bin/env python3
"""A bot for Grand Tour that lays round trips when it can and otherwise moves at random. See docs/write-a-bot.md."""

import json
import random
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "welcome":
        random.seed(message["table"]["table"])
    elif message["type"] == "now" and message["legal"]:
        moves = [choice["move"] for choice in message["legal"]]
        laying = [move for move in moves if move["do"] == "lay"]
        move = laying[0] if laying else random.choice(moves)
        answer = {"type": "move", "id": str(message["n"]), "at": message["n"], "move": move}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "refused":
        print(message["reason"], file=sys.stderr)
