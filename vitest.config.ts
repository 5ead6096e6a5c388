import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Some 500 modules are then read once a worker, not once a file: half of what a small file costs.
    isolate: false,
    maxWorkers: 4,
    // Processes are killed, clocks and ports are real: what fails once is tried once more, and told by the run's last lines.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
