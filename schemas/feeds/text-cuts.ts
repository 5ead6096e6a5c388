/** Where platforms' profiles cut the texts of a product, in code points: what of a longer one comes back from a feed. */
export const textCuts = {
  title: [150, 500],
  description: [5_000, 9_999, 10_000],
} as const
