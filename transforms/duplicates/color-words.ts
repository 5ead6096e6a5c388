/** Words for colors, so that a title's `schwarz` and another's `black` are one; inflected forms stand beside their word. */
import { wordTable } from '../silver/words.ts'

/** Accents are folded away before a word is looked up, and a shade that stands in one word is a color of its own. */
export const colorOf = wordTable({
  black:
    'schwarz|schwarze|schwarzer|schwarzes|noir|noire|noirs|negro|negra|nero|nera|preto|preta|zwart|zwarte|czarny|czarna|czarne|cerny|cerna|cerne|черный|черная|черное|svart|sort|musta|黒|ブラック|黑色|黑',
  white:
    'weiß|weiss|weiße|weisse|weißer|weisser|weißes|blanc|blanche|blanco|blanca|bianco|bianca|branco|branca|wit|witte|biały|biała|białe|bily|bila|bile|белый|белая|белое|vit|hvid|hvit|valkoinen|白|ホワイト|白色',
  red: 'rot|rote|roter|rotes|rouge|rojo|roja|rosso|rossa|vermelho|vermelha|rood|rode|czerwony|czerwona|czerwone|cerveny|cervena|cervene|красный|красная|красное|röd|rød|punainen|赤|レッド|红色|红',
  blue: 'blau|blaue|blauer|blaues|bleu|bleue|azul|blu|blauw|blauwe|niebieski|niebieska|niebieskie|modry|modra|modre|синий|синяя|синее|blå|sininen|青|ブルー|蓝色|蓝',
  green:
    'grün|gruen|grüne|grüner|grünes|vert|verte|verde|groen|groene|zielony|zielona|zielone|zeleny|zelena|zelene|зеленый|зеленая|зеленое|grön|grøn|vihreä|緑|グリーン|绿色|绿',
  yellow:
    'gelb|gelbe|gelber|gelbes|jaune|amarillo|amarilla|giallo|gialla|amarelo|amarela|geel|gele|żółty|żółta|żółte|zluty|zluta|zlute|желтый|желтая|желтое|gul|keltainen|黄|イエロー|黄色',
  orange: 'orangefarben|naranja|arancione|laranja|oranje|pomarańczowy|oranzovy|оранжевый|oranssi|オレンジ|橙色',
  pink: 'rosa|rosafarben|rose|roze|różowy|różowa|ruzovy|ruzova|розовый|розовая|ピンク|粉色',
  purple:
    'lila|violett|violet|violette|morado|morada|viola|roxo|roxa|paars|paarse|fioletowy|fialovy|фиолетовый|紫|パープル|紫色',
  brown:
    'braun|braune|brauner|braunes|marron|brun|brune|marrón|marrone|castanho|bruin|bruine|brązowy|brązowa|hnedy|hneda|коричневый|коричневая|ruskea|茶|ブラウン|棕色',
  gray: 'grey|grau|graue|grauer|graues|gris|grise|grigio|grigia|cinza|cinzento|grijs|grijze|szary|szara|szare|sedy|seda|sede|серый|серая|серое|grå|harmaa|グレー|灰色',
  beige: 'бежевый|ベージュ|米色',
  gold: 'golden|goldfarben|doré|dorado|dorada|dorato|oro|dourado|goud|gouden|złoty|zlaty|золотой|ゴールド|金色',
  silver:
    'silber|silbern|silberfarben|argent|argenté|plateado|plateada|argento|prata|zilver|zilveren|srebrny|stribrny|серебристый|シルバー|银色',
  turquoise: 'türkis|tuerkis|turquesa|turchese|turkusowy|tyrkysovy|бирюзовый',
  navy: 'marineblau|marine|dunkelblau|granatowy|ネイビー|藏青色',
})
