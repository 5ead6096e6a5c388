/** A child process of `bench http` and `bench events`: bare Fastify routes that answer from memory, from the one SQL query, and from the same prepared. */
import Fastify from 'fastify'
import pg from 'pg'

const { BENCH_BYTES = '', BENCH_DATABASE = '', BENCH_SQL = '', BENCH_ID = '' } = process.env

const pool = new pg.Pool({ connectionString: BENCH_DATABASE, max: 16 })
const app = Fastify({ logger: false })
app.get('/memory/:id', async (_request, reply) => reply.type('application/json; charset=utf-8').send(BENCH_BYTES))
app.post('/memory', async (_request, reply) => reply.type('application/json; charset=utf-8').send(BENCH_BYTES))
app.get('/sql/:id', async (_request, reply) => {
  const { rows } = await pool.query(BENCH_SQL, [BENCH_ID])
  return reply.type('application/json; charset=utf-8').send({ product: rows[0] })
})
app.get('/prepared/:id', async (_request, reply) => {
  const { rows } = await pool.query({ name: 'product', text: BENCH_SQL, values: [BENCH_ID] })
  return reply.type('application/json; charset=utf-8').send({ product: rows[0] })
})
process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once('SIGINT', () => void Promise.all([app.close(), pool.end()]).then(() => process.exit(0)))
