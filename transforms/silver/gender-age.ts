/** Reads for whom a product is made, in any language we have met, as the words that platforms know. */
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { wordTable } from './words.ts'

type Gender = 'male' | 'female' | 'unisex'
type AgeGroup = 'newborn' | 'infant' | 'toddler' | 'kids' | 'adult'

const list = (...lines: string[]) => lines.join('|')

const genderOf = wordTable<Gender>({
  male: list(
    "men|man|men's|mens|man's|m|boy|boys|boy's|gentleman|gentlemen|for men|for him|herren|herr|männer|mann|männlich|jungen|junge|für herren",
    'homme|hommes|masculin|garçon|garçons|pour homme|hombre|hombres|masculino|masculina|niño|niños|caballero|caballeros|para hombre|chico|chicos',
    'homem|homens|menino|meninos|uomo|uomini|maschile|maschio|bambino|da uomo|ragazzo|heren|mannen|mannelijk|jongens|jongen|voor heren',
    'męski|męska|męskie|mężczyzna|mężczyźni|dla mężczyzn|chłopcy|chłopiec|dla chłopców|pánské|pánský|pánská|muž|muži|pro muže|chlapci|chlapecké',
    'мужской|мужская|мужское|мужские|мужчина|мужчины|для мужчин|для него|мальчики|мальчик|м|для мальчиков|муж',
    '男性|メンズ|男|紳士|紳士用|男性用|男の子|男士|男装|男款|男童|男性专用',
    'herrar|pojke|pojkar|män|kille|herre|herrer|mand|mænd|dreng|drenge|menn|gutt|gutter|miehet|mies|miesten|poika|pojat|poikien',
    'erkek|erkekler|erkek çocuk|bay|чоловічий|чоловіча|чоловіче|чоловічі|чоловіки|для чоловіків|хлопчик|хлопчики|для хлопчиків|pánske|pánsky|férfi|bărbați',
  ),
  female: list(
    "women|woman|women's|womens|woman's|w|f|girl|girls|girl's|ladies|lady|ladies'|for women|for her|damen|dame|frauen|frau|weiblich|mädchen|für damen",
    'femme|femmes|féminin|féminine|fille|filles|pour femme|mujer|mujeres|femenino|femenina|niña|niñas|señora|señoras|para mujer|chica|chicas',
    'mulher|mulheres|feminino|feminina|menina|meninas|donna|donne|femminile|femmina|bambina|da donna|ragazza|dames|vrouwen|vrouw|vrouwelijk|meisjes|meisje|voor dames',
    'damski|damska|damskie|kobieta|kobiety|dla kobiet|dziewczynki|dziewczynka|dla dziewczynek|dámské|dámský|dámská|žena|ženy|pro ženy|dívky|dívčí',
    'женский|женская|женское|женские|женщина|женщины|для женщин|для нее|девочки|девочка|ж|для девочек|жен',
    '女性|レディース|女|婦人|婦人用|女性用|女の子|女士|女装|女款|女童|女性专用',
    'dam|damer|flicka|flickor|kvinna|kvinnor|tjej|kvinde|kvinder|pige|piger|kvinne|kvinner|jente|jenter|naiset|nainen|naisten|tyttö|tytöt|tyttöjen',
    'kadın|kadınlar|kız|kız çocuk|bayan|жіночий|жіноча|жіноче|жіночі|жінки|для жінок|дівчинка|дівчатка|для дівчаток|dámske|dámsky|női|femei',
  ),
  unisex: list(
    'uni sex|both|men and women|women and men|men & women|women & men|male and female|female and male|all genders|neutral|gender neutral|genderless|m/f|f/m',
    'herren und damen|damen und herren|damen & herren|herren & damen|geschlechtsneutral|mixte|unisexe|homme et femme|femme et homme',
    'hombre y mujer|mujer y hombre|mixto|unissex|masculino e feminino|uomo e donna|uniseks|heren en dames|dames en heren|damsko męski|dla kobiet i mężczyzn',
    'pánské i dámské|uniszex|унісекс|унисекс|для всех|мужской и женский|мужские и женские|男女兼用|男女共用|ユニセックス|男女通用|中性|男女皆宜|男女款|男女同款',
  ),
})

const ageGroupOf = wordTable<AgeGroup>({
  newborn: list(
    'newborns|new born|0 3 months|neugeborene|neugeborenes|neugeborenen|nouveau né|nouveau nés|recién nacido|recién nacidos|recém nascido',
    'recém nascidos|neonato|neonata|pasgeboren|pasgeborene|noworodek|noworodki|novorozenec|novorozenci|pro novorozence|новорожденный|новорожденные',
    'для новорожденных|新生児|新生儿|nyfödd|nyfødt|vastasyntynyt|yenidoğan|yeni doğan|новонароджений|новонароджені|novorodenec|újszülött',
  ),
  infant: list(
    "infants|baby|babies|baby's|baby s|3 12 months|säugling|säuglinge|babys|bébé|bébés|nourrisson|nourrissons|bebé|bebés|lactante|bebê|bebês|neonati",
    "lattante|baby'tje|zuigeling|zuigelingen|niemowlę|niemowlęta|niemowlęcy|dla niemowląt|kojenec|kojenci|miminko|miminka|pro kojence",
    'младенец|младенцы|малыши|грудничок|для малышей|乳児|ベビー|赤ちゃん|ベビー用|婴儿|嬰兒|婴幼儿|宝宝',
    'spädbarn|bebis|spædbarn|spædbørn|spedbarn|vauva|vauvat|bebek|bebekler|немовля|немовлята|для немовлят|dojča|csecsemő',
  ),
  toddler: list(
    'toddlers|1 5 years|kleinkind|kleinkinder|kleinkindern|tout petit|tout petits|petite enfance|niño pequeño|niños pequeños|bimbo|bimbi|prima infanzia',
    'criança pequena|crianças pequenas|peuter|peuters|małe dziecko|małe dzieci|batole|batolata|pro batolata|ясельный|ясельные|幼児|幼儿|småbarn|småbørn|taapero|taaperot|batoľa|batoľatá',
  ),
  kids: list(
    "kid|kid's|kids'|child|children|children's|childrens|junior|juniors|youth|5 13 years|kinder|kind|für kinder|enfant|enfants|pour enfant|infantil|niños|niñas",
    'niño|niña|para niños|crianças|criança|bambini|bambino|bambina|ragazzi|kinderen|voor kinderen|dzieci|dziecko|dziecięcy|dziecięca|dziecięce|dla dzieci',
    'děti|dítě|dětské|dětský|dětská|pro děti|детский|детская|детское|дети|детские|для детей|ребенок|キッズ|子供|子ども|こども|子供用|ジュニア|儿童|兒童|小孩|barn|børn|lapset|çocuk',
    'lapsi|lasten|çocuklar|дитячий|дитяча|дитяче|дитячі|діти|для дітей|dieťa|deti|detské|detský|pre deti|gyerek|copii',
  ),
  adult: list(
    'adults|grown ups|teen|teens|teenager|teenagers|men|women|erwachsene|erwachsener|erwachsenen|jugendliche|für erwachsene|adulte|adultes|adulto|adultos|adulta',
    'para adultos|adulti|volwassen|volwassenen|volwassene|dorośli|dorosły|dla dorosłych|dospělí|dospělý|dospělé|pro dospělé|взрослый|взрослые|взрослая',
    'для взрослых|大人|成人|成人用|大人用|成年人|vuxen|vuxna|voksen|voksne|aikuiset|yetişkin',
    'aikuinen|aikuisten|yetişkinler|дорослий|доросла|дорослі|для дорослих|dospelí|dospelý|felnőtt|adulți|18+|18 +|18 plus|over 18|ab 18|18 and over',
  ),
})

/** Longer texts are prose. */
const longest = 64

/** What is made for men and for women is for both: `men,women`, `Herren / Damen`. */
function ofSeveral(raw: string): Gender | undefined {
  if (raw.length > longest) return undefined
  const genders = raw.split(/[,;/|&+、，]/).map(genderOf)
  const [first] = genders
  if (genders.length < 2 || genders.includes(undefined)) return undefined
  return new Set(genders).size === 1 ? first : 'unisex'
}

export function readGender(raw: string): Reading<Gender> {
  const known = genderOf(raw) ?? ofSeveral(raw)
  if (known) return reads(known)
  return doubts('unknown_gender', `${quote(raw)} is no gender that platforms know; use male, female or unisex`)
}

export function readAgeGroup(raw: string): Reading<AgeGroup> {
  const known = ageGroupOf(raw)
  if (known) return reads(known)
  const says = `${quote(raw)} is no age group that platforms know; use newborn, infant, toddler, kids or adult`
  return doubts('unknown_age_group', says)
}
