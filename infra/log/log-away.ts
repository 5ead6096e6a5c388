/** The brokers do not answer, or cannot take what they are sent just now: try again shortly. */
export class LogAway extends Error {
  override readonly name = 'LogAway'
}
