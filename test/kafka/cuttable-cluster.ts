/** Brokers of which each can be cut off: clients and the other brokers reach it over a network of its own. */
import { type Cluster, type ClusterOptions, startCluster } from './brokers.ts'
import { type Network, openProxy } from './proxy.ts'

export interface CuttableCluster extends Cluster {
  /** By broker, in their order. */
  readonly networks: readonly Network[]
}

export async function cuttableCluster(options: Omit<ClusterOptions, 'set' | 'further'> = {}): Promise<CuttableCluster> {
  let cluster: Cluster | undefined
  const networks = await Promise.all(
    Array.from({ length: options.size ?? 1 }, (_, i) => openProxy(() => cluster?.brokers[i]?.port ?? 0)),
  )
  const portOf = (i: number) => networks[i]?.port ?? 0
  // Everybody goes where a broker says that it is.
  const set = (node: number) => ({ 'advertised.listeners': `PLAINTEXT://127.0.0.1:${portOf(node - 1)}` })
  const started = await startCluster({ ...options, set })
  cluster = started
  return {
    brokers: started.brokers,
    networks,
    addresses: networks.map((_, i) => `127.0.0.1:${portOf(i)}`).join(),
    async close() {
      await started.close()
      for (const network of networks) await network.close()
    },
  }
}
