/** Words that a language cannot do without, and letters that of our languages it alone has: what tells the language of a text. */

interface Signs {
  readonly words: string
  /** '' where it shares all of its letters with another. */
  readonly letters: string
}

/** The most frequent words without meaning of their own, in lower case. Japanese and Chinese are known by their scripts. */
export const stopWords: Readonly<Record<string, Signs>> = {
  en: {
    words:
      'the and of to with for is are this that your you from by it its our can be not all an at as has have will these which or when',
    letters: '',
  },
  de: {
    words:
      'der die das und mit für ist ein eine einen einer eines aus von zu zum zur im auf nicht auch sich den dem des durch oder wird sind sie ihr ihre bei nach wie aber',
    letters: 'ß',
  },
  fr: {
    words:
      'le la les et des du une un pour avec dans est sur par votre vous ce cette ces qui que sont aux au en plus pas ou son sa ses grâce très',
    letters: 'œù',
  },
  es: {
    words:
      'el la los las y de del con para una un en es por que su sus se al más como este esta son tu muy sin o lo pero ideal',
    letters: 'ñ¿¡',
  },
  pt: {
    words:
      'o a os as e de do da dos das com para uma um em no na nos nas é por que seu sua se ao mais como este esta são não muito sem ou você',
    letters: 'ãõ',
  },
  it: {
    words:
      'il lo la i gli le e di del della dei delle con per una un in è che da dal nel nella alla al si questo questa sono non più anche tuo ed o come',
    letters: '',
  },
  nl: {
    words:
      'de het een en van met voor is in op te dat die deze dit zijn niet ook door aan bij uit je uw wordt om naar of als maar geen',
    letters: '',
  },
  pl: {
    words:
      'i w z na do dla się jest to że oraz nie od po przez jak ten ta które który która są ze za lub przy dzięki aby może o ich bez',
    letters: 'łąęńśźż',
  },
  cs: {
    words:
      'a v na s pro je se z do že nebo i ve od po jako není také který která které jsou si při ze za díky aby o k bez jeho svou',
    letters: 'řěůďť',
  },
  ru: {
    words: 'и в на с для из по не от к что как это при или а до без вы ваш его мы так можно который',
    letters: 'ыэё',
  },
  uk: { words: 'і в на з для та із не що як це або від до без ви ваш його при який яка', letters: 'іїєґ' },
}
