import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { besideOthers, ownProcess } from './test/own-process.ts'

const every = {
  pool: 'forks',
  // Node imports the modules itself, as it does for users: what Vite made of them was slower to load and to run. Nothing here mocks a module.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Workers, and programs that tests start again and again, find their modules compiled.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
  maxWorkers: 4,
  // Processes are killed, clocks and ports are real: what fails once is tried once more, and told by the run's last lines.
  retry: 1,
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const

/** They wait for other processes for much of their time. */
const besideEachOther = { ...every, maxWorkers: 6 } as const

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: every.maxWorkers,
    projects: [
      // A worker keeps its process while the next file is of the same project: those that share one have their time for themselves.
      {
        test: {
          ...besideEachOther,
          name: 'beside others',
          include: [...besideOthers],
          exclude: [...ownProcess],
          isolate: false,
        },
      },
      { test: { ...besideEachOther, name: 'own process', include: [...ownProcess] } },
      // One process imports the modules once for many files.
      {
        test: {
          ...every,
          sequence: { groupOrder: 1 },
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: [...ownProcess, ...besideOthers],
          isolate: false,
          // Collecting what is young was a sixth of what they took, and collecting while modules are still coming another. Those that measure
          // memory have processes of their own.
          execArgv: ['--max-semi-space-size=64', '--initial-old-space-size=1024'],
        },
      },
    ],
  },
})
