import { describe, expect, test } from 'vitest'
import { languageEvidence } from '../../../transforms/silver/language.ts'

const told = (...cells: string[]) => {
  const evidence = languageEvidence()
  for (const cell of cells) evidence.see(cell)
  return evidence.result()
}

const texts: Record<string, string> = {
  en: 'A sturdy stool for the kitchen and the bar, with a seat of oak that is oiled by hand and will last for years.',
  de: 'Ein stabiler Hocker für die Küche und die Bar, mit einem Sitz aus Eiche, der von Hand geölt ist und nicht wackelt.',
  fr: 'Un tabouret solide pour la cuisine et le bar, avec une assise en chêne qui est huilée à la main dans notre atelier.',
  es: 'Un taburete resistente para la cocina y el bar, con un asiento de roble que es aceitado a mano por los artesanos.',
  pt: 'Um banco resistente para a cozinha e o bar, com um assento de carvalho que não é pintado e dura muito mais.',
  it: 'Uno sgabello robusto per la cucina e il bar, con una seduta di rovere che è oliata a mano nella nostra bottega.',
  nl: 'Een stevige kruk voor de keuken en de bar, met een zitting van eiken die met de hand is geolied en niet wiebelt.',
  pl: 'Solidny stołek do kuchni i baru, z siedziskiem z dębu, który jest olejowany ręcznie i nie chwieje się na podłodze.',
  cs: 'Pevná stolička pro kuchyň a bar, se sedákem z dubu, který je ručně olejovaný a na podlaze se nekývá.',
  ru: 'Прочный табурет для кухни и бара с сиденьем из дуба, который не шатается и промаслен вручную, как и все наши вещи.',
  uk: 'Міцний табурет для кухні та бару, із сидінням з дуба, що не хитається і просочений олією вручну.',
  ja: 'キッチンとバーのための丈夫なスツール。座面はオーク材です。',
  zh: '适合厨房和吧台的结实凳子，座面为橡木，手工上油。',
  ko: '주방과 바를 위한 튼튼한 스툴입니다.',
}

describe('the language of a column', () => {
  test.each(Object.entries(texts))('%s is told by a few sentences, surely', (language, text) => {
    const found = told(text, text, text)
    expect(found).toMatchObject({ language })
    expect(found?.confidence).toBeGreaterThan(0.75)
    expect(found?.reason).toMatch(/^\d+ words and letters/)
  })

  test('is not told by names, and not by a column in two languages', () => {
    expect(told('Bud', 'Enamel mug', 'Tallåsen Form')?.language ?? null).toBeNull()
    expect(told(texts.en ?? '', texts.de ?? '')).toMatchObject({ language: null })
    expect(told('', '123', '—')).toBeNull()
  })

  test('is told by the texts and not by their markup', () => {
    const html = `<div class="the of and to for with is are">${texts.de}</div>`
    expect(told(html, html)).toMatchObject({ language: 'de' })
  })

  test('is told by cells from the whole file, not by its beginning', () => {
    const evidence = languageEvidence()
    for (let i = 0; i < 20_000; i++) evidence.see((i < 500 ? texts.en : texts.de) ?? '')
    expect(evidence.result()).toMatchObject({ language: 'de' })
  })
})
