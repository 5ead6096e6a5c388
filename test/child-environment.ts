/** What a process that a test starts has of the environment of the tests: where programs are, and our modules compiled before. */
export const childEnvironment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
