import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openKafka } from '../../../infra/log/kafka.ts'
import { kafkaSettings } from '../../kafka/settings.ts'

/** A broker that goes as soon as it is spoken to. */
async function broker(): Promise<{ address: string; spokenTo: () => number }> {
  let times = 0
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .once('data', () => {
        times++
        socket.resetAndDestroy()
      }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, spokenTo: () => times }
}

test('a broker that goes while it is told who we are is away, and ends no process', async () => {
  const uncaught: unknown[] = []
  const see = (error: unknown) => uncaught.push(error)
  process.on('uncaughtExceptionMonitor', see)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', see))
  const { address, spokenTo } = await broker()
  const sasl = { mechanism: 'plain', username: 'assay', password: 'secret' } as const
  const kafka = await openKafka({ ...kafkaSettings({ addresses: address }), sasl }, { epoch: 1, partitions: 2 })
  await expect(kafka.find('products.bronze')).rejects.toThrow('Kafka does not answer')
  expect(spokenTo()).toBeGreaterThan(0)
  expect(uncaught).toEqual([])
  await kafka.close()
})
