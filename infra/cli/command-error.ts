/** Why a command cannot do what it was asked, as one sentence for the person who gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
