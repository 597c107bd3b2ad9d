// Plays on boardgame.io's server with players who move at random: node load_peer.cjs FOLDER SEATS TABLES MOVES
// The last line of the output has the measurements as JSON. See load_peer.py.
const { fork } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [folder, ...numbers] = process.argv.slice(2);
const [seats, tables, moves] = numbers.map(Number);
const fromFolder = createRequire(`${folder}/package.json`);
const WARM_UP = 4;
const TICKS_PER_SECOND = 100;
const PAGE = 4096;

const game = {
  name: 'cells',
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, at) => {
      G.cells[at] = playerID;
    },
  },
};

async function serve() {
  console.log = () => {};
  console.info = () => {};
  const { Server } = fromFolder('boardgame.io/server');
  const server = Server({ games: [game], origins: ['*'] });
  const running = await server.run({ port: 0 });
  process.send(running.appServer.address().port);
  process.on('disconnect', () => process.exit());
}

const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
const memory = (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;

async function play() {
  const { io } = fromFolder('socket.io-client');
  const child = fork(__filename, process.argv.slice(2), { env: { ...process.env, SERVE: '1' } });
  const port = await new Promise((resolve) => child.once('message', resolve));
  const url = `http://127.0.0.1:${port}`;
  const empty = memory(child.pid);
  let bytes = 0;
  let made = 0;
  let goal = 0;
  let finished = () => {};
  let acks = [];
  const all = [];
  for (let number = 0; number < tables; number++) {
    // A match that does not exist yet is created by the first client that asks for it.
    const matchID = `match-${number}`;
    const table = { moves: 0, players: [], matchID };
    all.push(table);
    for (let seat = 0; seat < seats; seat++) {
      const socket = io(`${url}/cells`, { transports: ['websocket'], forceNew: true });
      const player = { socket, seat, state: null, sent: 0, at: 0 };
      table.players.push(player);
      await new Promise((resolve) => socket.on('connect', resolve));
      socket.io.engine.transport.ws.on('message', (data) => (bytes += data.length));
      const hear = (state) => {
        player.state = state;
        if (player.sent && state._stateID > player.at) {
          acks.push(performance.now() - player.sent);
          player.sent = 0;
          made++;
          table.moves++;
          if (all.every((one) => one.moves >= goal)) finished();
        }
        consider(table, player);
      };
      socket.on('update', (_, state) => hear(state));
      const synced = new Promise((resolve) => socket.once('sync', (_, { state }) => resolve((player.state = state))));
      socket.emit('sync', matchID, String(seat), undefined, seats);
      await synced;
    }
  }
  function consider(table, player) {
    if (table.moves >= goal || player.sent || player.state.ctx.currentPlayer !== String(player.seat)) return;
    player.sent = performance.now();
    player.at = player.state._stateID;
    const payload = {
      type: 'mark',
      args: [Math.floor(Math.random() * 9)],
      playerID: String(player.seat),
    };
    player.socket.emit('update', { type: 'MAKE_MOVE', payload }, player.at, table.matchID, String(player.seat));
  }
  const run = (more) =>
    new Promise((resolve) => {
      goal += more;
      finished = resolve;
      for (const table of all) for (const player of table.players) consider(table, player);
    });
  await run(WARM_UP);
  bytes = made = 0;
  acks = [];
  const [began, before] = [performance.now(), cpuSeconds(child.pid)];
  await run(moves);
  const [took, cpu, full] = [(performance.now() - began) / 1000, cpuSeconds(child.pid) - before, memory(child.pid)];
  acks.sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      moves: made,
      moves_per_second: made / took,
      cpu_us_per_move: (cpu / made) * 1e6,
      bytes_per_move_and_recipient: bytes / made / seats,
      p50_ms: acks[Math.floor(acks.length * 0.5)],
      p99_ms: acks[Math.floor(acks.length * 0.99)],
      memory_mb: full / 1e6,
      kb_per_table: (full - empty) / tables / 1e3,
    }),
  );
  process.exit();
}

void (process.env.SERVE ? serve() : play());
