/** The rubric as a page to read, made from the rules themselves: RUBRIC.md beside this file, which a test holds to be current. */
import type { PlatformRules } from '../../schemas/feeds/profile.ts'
import { platforms } from '../../schemas/feeds/registry.ts'
import { type Dimension, defaultWeights, dimensions, feedReadyFrom } from '../../schemas/score.ts'
import { rubric, rubricVersion } from './rubric.ts'

const opening = `# The rubric, version ${rubricVersion}

Made from \`transforms/gold/rules/\` and \`schemas/feeds/\`; not written by hand.

A product gets up to 100 points in each of seven dimensions. A rule gives none, some or all of its points; those of rules that
do not apply to the product are shared out among the others of its dimension. The score is the sum of the dimensions by the
workspace's weights, rounded once; the weights below are those of a workspace that never weighed anything. A gap is a field that
loses points, and it is missing where nothing at all is there (rules marked "there at all"). A product is feed-ready from a score of
${feedReadyFrom} on if all platforms of its brand would take it; a brand without platforms is measured by Google's rules.`

type Row = readonly string[]

/** Columns as wide as their widest cell, as the formatter of the house has them. */
function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (cells: Row, filler: string) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, filler)).join(' | ')} |`
  const [titles = [], ...lines] = all
  return [line(titles, ' '), line([], '-'), ...lines.map((cells) => line(cells, ' '))].join('\n')
}

function dimensionPart(dimension: Dimension, place: number): string {
  const rows = rubric
    .filter((rule) => rule.dimension === dimension)
    .map(({ id, field, points, why, sources, presence }) => [
      ...[`\`${id}\``, `\`${field}\``, String(points)],
      ...[presence ? `${why} (there at all)` : why, sources.join(' ')],
    ])
  const title = `## ${dimension}, ${(defaultWeights[place] ?? 0) / 100} % of the score`
  return `${title}\n\n${table(['rule', 'field', 'points', 'why', 'source'], rows)}`
}

function platformPart({ platform, version, rules }: PlatformRules): string {
  const rows = rules.map(({ field, asks, source }) => [`\`${field}\``, asks, source])
  return `## What ${platform} refuses, version ${version}\n\n${table(['attribute', 'asks', 'source'], rows)}`
}

export const rubricPage = (): string =>
  `${[opening, ...dimensions.map(dimensionPart), ...platforms.map(platformPart)].join('\n\n')}\n`
