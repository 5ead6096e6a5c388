/** How currencies are written beside amounts, and which codes are no money. */

/** Signs and words, folded to lower case without a closing dot, that mean one currency. */
export const certainWords: Readonly<Record<string, string>> = {
  EUR: '€ euro euros евро ユーロ 欧元',
  GBP: '£ gb£ £stg',
  USD: 'us$ $us u$s usd$',
  CAD: 'c$ ca$ can$ cad$',
  AUD: 'a$ au$ aud$',
  NZD: 'nz$',
  HKD: 'hk$',
  SGD: 's$ sg$',
  TWD: 'nt$',
  MXN: 'mx$ mex$',
  BRL: 'r$ reais',
  JPY: '円 jp¥ 日本円',
  CNY: '元 cn¥ rmb 人民币 ￥人民币',
  KRW: '₩ 원',
  INR: '₹ ₹.',
  CHF: 'sfr franken',
  PLN: 'zł zl złotych',
  CZK: 'kč kc',
  HUF: 'ft forint',
  RON: 'lei leu',
  BGN: 'лв lv',
  UAH: '₴ грн',
  RUB: '₽ руб р рублей',
  KZT: '₸ тг',
  BYN: 'br бел.руб',
  AZN: '₼ ман',
  GEL: '₾',
  AMD: '֏',
  TRY: '₺ tl',
  ILS: '₪',
  THB: '฿ บาท',
  VND: '₫ đ vnđ',
  PHP: '₱',
  MYR: 'rm',
  IDR: 'rp',
  NGN: '₦',
  GHS: '₵ gh₵',
  CRC: '₡',
  PYG: '₲',
  LAK: '₭',
  MNT: '₮',
  KHR: '៛',
  PEN: 's/',
  AED: 'د.إ dhs',
  SAR: 'ر.س',
  OMR: 'ر.ع',
  KWD: 'د.ك',
  BHD: 'د.ب',
  QAR: 'ر.ق',
  EGP: 'ج.م',
  MAD: 'د.م',
  HRK: 'kn kuna',
}

/** Signs that several currencies share: the first is the guess, the others are taken where a setting names one of them. */
export const sharedWords: Readonly<Record<string, string>> = {
  $: 'USD CAD AUD NZD MXN SGD HKD TWD CLP COP ARS BRL UYU JMD TTD BBD BSD BZD FJD NAD XCD',
  '¥': 'JPY CNY',
  kr: 'SEK NOK DKK ISK',
  rs: 'INR PKR LKR NPR MUR SCR',
  r: 'ZAR',
  fr: 'CHF XOF XAF',
  din: 'RSD MKD DZD',
  дин: 'RSD MKD',
  '﷼': 'SAR IRR OMR QAR YER',
  ريال: 'SAR OMR QAR YER IRR',
  dirham: 'AED MAD',
}

/** Codes that feeds still write for their successor of the same name; an amount in them is read with a warning. */
export const successors: Readonly<Record<string, string>> = { RUR: 'RUB', AZM: 'AZN', ROL: 'RON', TRL: 'TRY' }

/** In force since the table of `currency-codes` was published. */
export const newer: Readonly<Record<string, number>> = { XCG: 2 }

/** Units of account, metals, test and no-currency codes: nothing is sold for them, and ISO gives them no minor unit. */
export const notMoney = 'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'
