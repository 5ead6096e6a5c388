/** Why nothing came of a request to the outside, in one sentence for the person who gave the address. */

export type EgressErrorCode =
  /** The address itself, or what its name leads to, is none that Assay asks. */
  | 'refused_address'
  /** Its name leads nowhere, or nowhere public: which of the two is not told. */
  | 'unknown_host'
  | 'unreachable'
  | 'untrusted'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'bad_answer'
  | 'robots_disallowed'
  | 'robots_unreachable'

/** One text for every form of an address that is not asked: it says nothing of what is behind it (KF-40). */
const refusedAddress =
  'This address cannot be fetched; give the public web address, without a user name or password in it'

const sentences: Readonly<Record<EgressErrorCode, string>> = {
  refused_address: refusedAddress,
  unknown_host: 'The host name leads to no public address; check how it is written',
  unreachable: 'The host did not take the connection, or broke it off',
  untrusted: 'The certificate of the host is not valid for it',
  timeout: 'The host took too long to answer',
  too_large: 'The answer is larger than is taken',
  too_many_redirects: 'The address leads on and on to other addresses',
  bad_answer: 'The host answered with something that is no answer of HTTP',
  robots_disallowed: "The host's robots.txt asks not to fetch this address",
  robots_unreachable: "The host's robots.txt could not be read, so the address is not fetched for now",
}

export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly code: EgressErrorCode

  constructor(code: EgressErrorCode, cause?: unknown) {
    super(sentences[code], { cause })
    this.code = code
  }
}
