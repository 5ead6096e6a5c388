/** How a test opens the log on a cluster of its own. */
import type { KafkaSettings } from '../../infra/log/kafka.ts'
import type { Cluster } from './brokers.ts'

export const kafkaSettings = ({ addresses }: Pick<Cluster, 'addresses'>, prefix = ''): KafkaSettings => ({
  brokers: addresses.split(','),
  prefix,
  tls: null,
  sasl: null,
  replication: null,
  minInsync: null,
  retentionDays: null,
  sessionMs: 2_000,
})
