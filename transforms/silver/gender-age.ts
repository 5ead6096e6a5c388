/** Reads for whom a product is made, in any language we have met, as the words that platforms know. */
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { wordTable } from './words.ts'

type Gender = 'male' | 'female' | 'unisex'
type AgeGroup = 'newborn' | 'infant' | 'toddler' | 'kids' | 'adult'

const genderOf = wordTable<Gender>({
  male:
    "men|man|men's|mens|m|boy|boys|boy's|gentlemen|herren|herr|männer|mann|männlich|jungen|homme|hommes|masculin|garçon|garçons|hombre|" +
    'hombres|masculino|niño|niños|caballero|uomo|uomini|maschile|maschio|bambino|homem|homens|menino|heren|mannen|man|jongens|męski|' +
    'męskie|mężczyzna|mężczyźni|chłopcy|pánské|muž|muži|chlapci|мужской|мужская|мужское|мужские|для мужчин|мальчики|男性|メンズ|男|男士|男装|男の子|herr',
  female:
    "women|woman|women's|womens|w|girl|girls|girl's|ladies|lady|damen|dame|frauen|frau|weiblich|mädchen|femme|femmes|féminin|fille|filles|" +
    'mujer|mujeres|femenino|niña|niñas|señora|donna|donne|femminile|femmina|bambina|mulher|mulheres|feminino|menina|dames|vrouwen|' +
    'vrouw|meisjes|damski|damskie|kobieta|kobiety|dziewczynki|dámské|žena|ženy|dívky|женский|женская|женское|женские|для женщин|девочки|女性|レディース|女|女士|女装|女の子',
  unisex:
    'uni sex|both|men and women|women and men|male and female|all genders|neutral|gender neutral|herren und damen|damen und herren|mixte|' +
    'unisexe|unissex|uniseks|uniszex|унисекс|для всех|мужской и женский|男女兼用|男女共用|ユニセックス|男女通用|中性|男女皆宜',
})

const ageGroupOf = wordTable<AgeGroup>({
  newborn:
    'newborns|0 3 months|neugeborene|neugeborenes|nouveau né|recién nacido|neonato|recém nascido|pasgeboren|noworodek|novorozenec|новорожденный|новорожденные|新生児|新生儿',
  infant:
    'infants|baby|babies|3 12 months|säugling|säuglinge|bébé|nourrisson|bebé|bebés|neonati|bebê|baby s|niemowlę|niemowlęta|kojenec|miminko|младенец|младенцы|малыши|乳児|ベビー|婴儿',
  toddler:
    'toddlers|1 5 years|kleinkind|kleinkinder|tout petit|niño pequeño|bimbo|criança pequena|peuter|małe dziecko|batole|ясельный|幼児|幼儿',
  kids: 'kid|child|children|junior|juniors|youth|5 13 years|kinder|kind|enfant|enfants|infantil|niños|bambini|bambino|ragazzi|crianças|criança|kinderen|dzieci|dziecko|děti|dítě|детский|дети|детские|キッズ|子供|子ども|儿童',
  adult:
    'adults|teen|teens|teenager|men|women|erwachsene|erwachsener|jugendliche|adulte|adultes|adulto|adultos|adulti|volwassen|volwassenen|dorośli|dorosły|dospělí|dospělý|взрослый|взрослые|для взрослых|大人|成人|成人用|大人用',
})

export function readGender(raw: string): Reading<Gender> {
  const known = genderOf(raw)
  if (known) return reads(known)
  return doubts('unknown_gender', `${quote(raw)} is no gender that platforms know; use male, female or unisex`)
}

export function readAgeGroup(raw: string): Reading<AgeGroup> {
  const known = ageGroupOf(raw)
  if (known) return reads(known)
  const says = `${quote(raw)} is no age group that platforms know; use newborn, infant, toddler, kids or adult`
  return doubts('unknown_age_group', says)
}
