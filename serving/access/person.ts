/** Who is asking where no workspace is named: a person, by a token alone, member of anything or not. */
import { looksLikeApiKey } from '../../schemas/api-key.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { AccessPorts, TokenFacts } from './principal.ts'

export interface Person {
  readonly subject: string
  /** Of a token of the local issuer: the workspace and role that it names. */
  readonly local: TokenFacts['local']
}

export async function identifyPerson(credential: string, ports: Pick<AccessPorts, 'verify'>): Promise<Person> {
  if (looksLikeApiKey(credential)) throw noPerson('A key')
  const facts = await ports.verify(credential)
  if (!facts) throw new ServiceError('UNAUTHORIZED')
  if (facts.machine) throw noPerson("A machine's token")
  return { subject: facts.subject, local: facts.local }
}

const noPerson = (what: string) =>
  new ServiceError('FORBIDDEN', { message: `${what} is of one workspace; workspaces are made and listed by a person` })
