/** Which sides three letters stand for, as `L x P x H`: each letter for itself says nothing, since languages share them. */
import { foldText } from './fold-text.ts'

export type Side = 'length' | 'width' | 'height'

/** A depth is the length of what stands on a floor. The first way of which all three letters are is theirs. */
const ways: readonly Readonly<Record<string, Side>>[] = [
  // French where case tells: Longueur x largeur x Hauteur.
  { L: 'length', l: 'width', H: 'height', h: 'height' },
  // English, German, Dutch, Swedish, Danish and Norwegian.
  { l: 'length', d: 'length', t: 'length', w: 'width', b: 'width', h: 'height' },
  // French, Italian and Portuguese of what stands on a floor: larghezza x profondità x altezza, altura.
  { l: 'width', p: 'length', h: 'height', a: 'height' },
  // Portuguese: comprimento x largura x altura.
  { c: 'length', l: 'width', a: 'height' },
  // Spanish: largo or profundidad x ancho x alto.
  { l: 'length', p: 'length', a: 'width', h: 'height' },
  // Czech and Slovak: šířka x výška x hloubka, délka.
  { d: 'length', h: 'length', s: 'width', v: 'height' },
  // Polish: długość or głębokość x szerokość x wysokość.
  { d: 'length', g: 'length', s: 'width', w: 'height' },
  // Finnish: pituus or syvyys x leveys x korkeus.
  { p: 'length', s: 'length', l: 'width', k: 'height' },
  // Russian: длина or глубина x ширина x высота.
  { д: 'length', г: 'length', ш: 'width', в: 'height' },
]

/** Every letter that there is, for a class of a pattern that looks away from case. */
export const sideLetters = `${[...new Set(ways.flatMap(Object.keys))].join('').toLowerCase()}š`

/** Three different sides, or none. */
export function sidesOf(letters: readonly string[]): readonly Side[] | null {
  const plain = letters.map(foldText)
  // Two that case alone tells apart are French.
  const spelled = new Set(plain).size < letters.length ? letters : plain
  for (const way of ways) {
    const sides = spelled.map((letter) => way[letter])
    if (new Set(sides).size === 3 && sides.every((side) => side !== undefined)) return sides as Side[]
  }
  return null
}
