/** Words of titles that are no description: fillers that tell nothing, and marks that make another product of the same words. */
import { wordTable } from '../silver/words.ts'

/** Articles, conjunctions, and what sellers add; dropped. */
export const fillers: ReadonlySet<string> = new Set(
  (
    'a an and the of in on by to at der die das den dem ein eine und mit aus im in von le la les un une et avec de du des en au aux ' +
    'el los las y con del il lo gli e con di da do dos das com em het een en met van i z ze w ve se s и с в из ' +
    'new neu neuf nieuw nowy nuevo nuovo novo sale angebot oferta promo offer free gratis shipping versand versandkostenfrei delivery ' +
    'sofort lieferbar top hot best bestseller genuine'
  ).split(' '),
)

/** Each is compared as it is: a title that has one is another product than a title that has it not. */
export const markOf = wordTable({
  // What is made for a thing is not the thing.
  for: 'fur|fuer|pour|para|per|voor|dla|для|passend|compatible|kompatibel|suits',
  replacement: 'ersatz|ersatzteil|spare|refill|nachfullpack|nachfullung|recharge|recambio|ricambio|vervanging|сменный',
  case: 'hulle|huelle|coque|funda|cover|etui|hoesje|pouzdro|чехол|schutzhulle',
  lid: 'deckel|couvercle|tapa|coperchio|deksel|pokrywka|крышка',
  pro: 'pro',
  max: 'max',
  plus: 'plus',
  mini: 'mini',
  lite: 'lite',
  ultra: 'ultra',
  air: 'air',
  junior: 'junior',
  extra: 'extra',
  slim: 'slim',
  deluxe: 'deluxe',
  premium: 'premium',
  xl: 'xl',
  xs: 'xs',
  xxl: '2xl',
  xxxl: '3xl',
  small: 's|klein|petit|pequeño|piccolo|pequeno|mały',
  medium: 'm|mittel|moyen|mediano|medio|średni',
  large: 'l|gross|groß|grand|grande|groot|duży',
  light: 'hell|clair|claro|chiaro|licht|jasny|светлый',
  dark: 'dunkel|foncé|oscuro|scuro|escuro|donker|ciemny|темный',
  men: 'man|mens|herren|herrn|homme|hombre|uomo|homem|heren|męski|мужской|メンズ',
  women: 'woman|womens|ladies|damen|femme|mujer|donna|mulher|dames|damski|женский|レディース',
  kids: 'kid|child|children|childrens|kinder|enfant|enfants|niños|bambini|infantil|dziecięcy|детский|キッズ',
  left: 'links|gauche|izquierda|sinistra|esquerda|lewy|левый',
  right: 'rechts|droite|derecha|destra|direita|prawy|правый',
  set: 'satz|kit|lot|juego|zestaw|набор|bundle',
  used: 'gebraucht|occasion|usado|usato|tweedehands|refurbished|generaluberholt|reconditionné|ricondizionato',
  decaf: 'decaffeinated|entkoffeiniert|koffeinfrei|décaféiné|descafeinado|decaffeinato',
})
