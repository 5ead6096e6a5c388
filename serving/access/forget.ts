/** What access keeps for seconds and must not keep on this node once it has changed. */
export interface Forget {
  key(prefix: string): void
  member(subject: string): void
  policy(workspace: string): void
  brand(workspace: string, id: string): void
  /** One was deleted. */
  catalogs(): void
}
