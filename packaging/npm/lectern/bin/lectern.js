#!/usr/bin/env node
// Starts the program `lectern` of the package for this machine, with the voices of their package.
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');

/** The folder of an installed package, or null. */
function folderOf(name) {
  try {
    return path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

const machine = `${process.platform}-${process.arch}`;
const program = folderOf(`@lectern-tts/${machine}`);
if (program === null) {
  const known = Object.keys(require('../package.json').optionalDependencies).map((name) => name.split('/')[1]);
  console.error(
    known.includes(machine)
      ? `lectern: the package @lectern-tts/${machine} is not installed. npm leaves it out with --omit=optional, and on Linux ` +
          'without glibc (Alpine), for which there is no program: use the container image there.'
      : `lectern: there is no program for ${machine}, only for ${known.join(', ')}.`,
  );
  process.exit(1);
}

// The program looks for voices in the data directories of the XDG specification.
const env = { ...process.env };
const voices = folderOf('@lectern-tts/voice-hibari');
if (voices !== null) {
  const others = env.XDG_DATA_DIRS || ['/usr/local/share', '/usr/share'].join(path.delimiter);
  env.XDG_DATA_DIRS = path.join(voices, 'share') + path.delimiter + others;
}

const child = spawn(path.join(program, 'bin', 'lectern'), process.argv.slice(2), { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    // Ctrl-C reaches the program without us: a terminal signals all of the foreground.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`lectern: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
