/** A request that is refused for its form, whatever its route: the envelope and the code are the route's. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: 400 | 408 | 409 | 415 | 422 | 431, message: string) {
    super(message)
    this.status = status
  }
}
