/** Pairs of products that people wrote down and judged: written before the comparison was, and never to be bent towards it. */

/** `title | brand | price`, then what else is known of it. */
export type Written = readonly [text: string, more?: Readonly<Record<string, string>>]
export interface Judged {
  readonly why: string
  readonly pair: readonly [Written, Written]
}

const pair = (why: string, a: Written, b: Written): Judged => ({ why, pair: [a, b] })

export const same: readonly Judged[] = [
  pair(
    'words in another order',
    ['Bosch Professional Akkuschrauber GSR 12V-15 | Bosch | 89.00'],
    ['Akkuschrauber GSR 12V-15 Bosch Professional | Bosch | 89.90'],
  ),
  pair(
    'brand in the title',
    ['Le Creuset Signature Bräter rund 24 cm kirschrot | Le Creuset | 249.00'],
    ['Signature Bräter rund 24 cm kirschrot | Le Creuset | 245.00'],
  ),
  pair(
    'a letter is missing',
    ['Thermos Stainless King Vacuum Flask 1.2 L | Thermos | 34.95'],
    ['Thermos Stainles King Vacuum Flask 1.2 L | Thermos | 34.95'],
  ),
  pair(
    'two letters turned',
    ['Fiskars X21 Splitting Axe | Fiskars | 64.99'],
    ['Fiskars X21 Spiltting Axe | Fiskars | 62.50'],
  ),
  pair(
    'unit apart and together',
    ['Ecover Washing Up Liquid Lemon 950ml | Ecover | 2.95'],
    ['Ecover Washing-Up Liquid Lemon 950 ml | Ecover | 2.95'],
  ),
  pair(
    'litres and millilitres',
    ['San Pellegrino Sparkling Water 0.75 l | S.Pellegrino | 1.49'],
    ['San Pellegrino Sparkling Water 750 ml | S.Pellegrino | 1.49'],
  ),
  pair(
    'kilograms and grams',
    ['Caputo Pizza Flour Tipo 00 1kg | Caputo | 2.79'],
    ['Caputo Pizza Flour Tipo 00 1000 g | Caputo | 2.69'],
  ),
  pair(
    'colour in German',
    ['Fjällräven Kånken Rucksack schwarz | Fjällräven | 94.95'],
    ['Fjällräven Kånken Rucksack black | Fjällräven | 94.95'],
  ),
  pair(
    'colour in French',
    ['Opinel No.8 Couteau rouge | Opinel | 12.90'],
    ['Opinel No.8 Couteau red | Opinel | 12.90'],
  ),
  pair(
    'colour in Spanish',
    ['Silla de oficina Markus azul | Ikea | 179.00'],
    ['Silla de oficina Markus blue | Ikea | 179.00'],
  ),
  pair(
    'capitals',
    ['KITCHENAID ARTISAN STAND MIXER 4.8L | KitchenAid | 549.00'],
    ['KitchenAid Artisan Stand Mixer 4.8 L | KitchenAid | 549.00'],
  ),
  pair(
    'marks and signs',
    ['WMF Perfect Plus® Schnellkochtopf, 4,5 Liter | WMF | 139.99'],
    ['WMF Perfect Plus Schnellkochtopf 4,5 l | WMF | 139.99'],
  ),
  pair(
    'model number apart',
    ['Sony WH-1000XM4 Wireless Headphones | Sony | 279.00'],
    ['Sony WH1000XM4 Wireless Headphones | Sony | 275.00'],
  ),
  pair(
    'a word of praise more',
    ['Moleskine Classic Notebook Large Ruled | Moleskine | 19.90'],
    ['Moleskine Classic Notebook Large Ruled NEW | Moleskine | 19.90'],
  ),
  pair(
    'maker as a company',
    ['Lodge Cast Iron Skillet 26 cm | Lodge | 44.95'],
    ['Lodge Cast Iron Skillet 26 cm | Lodge Manufacturing Co. | 44.95'],
  ),
  pair(
    'brand only in the title',
    ['Alessi 9093 Water Kettle | Alessi | 145.00'],
    ['Alessi 9093 Water Kettle | | 145.00'],
  ),
  pair(
    'plural',
    ['Staedtler Triplus Fineliner Pens Set of 10 | Staedtler | 11.95'],
    ['Staedtler Triplus Fineliner Pen Set of 10 | Staedtler | 11.95'],
  ),
  pair(
    'accents lost',
    ['Émile Henry Tarte Dish 28 cm Grenadine | Emile Henry | 39.00'],
    ['Emile Henry Tarte Dish 28cm Grenadine | Émile Henry | 39.00'],
  ),
  pair(
    'umlaut written out',
    ['Rösle Küchenwaage digital | Rösle | 29.95'],
    ['Roesle Kuechenwaage digital | Roesle | 29.95'],
  ),
  pair(
    'comma and point',
    ['Stanley Classic Legendary Bottle 0,47L Hammertone Green | Stanley | 32.00'],
    ['Stanley Classic Legendary Bottle 0.47 L Hammertone Green | Stanley | 32.00'],
  ),
  pair(
    'and as a sign',
    ['Joseph Joseph Salt & Pepper Mill Set | Joseph Joseph | 25.00'],
    ['Joseph Joseph Salt and Pepper Mill Set | Joseph Joseph | 25.00'],
  ),
  pair(
    'dimensions spelled otherwise',
    ['Lifetime Folding Table 122 x 61 cm white | Lifetime | 59.90'],
    ['Lifetime Folding Table 122x61cm white | Lifetime | 59.90'],
  ),
  pair(
    'pack spelled otherwise',
    ['Duracell Plus AA Batteries 8 Pack | Duracell | 8.49'],
    ['Duracell Plus AA Batteries, pack of 8 | Duracell | 8.49'],
  ),
  pair(
    'pieces and pack',
    ['Finish Quantum Tabs 60 pcs | Finish | 12.99'],
    ['Finish Quantum Tabs 60 pieces | Finish | 12.99'],
  ),
  pair(
    'colour as a field',
    ['Hay Palissade Chair | Hay | 189.00', { color: 'olive' }],
    ['Hay Palissade Chair olive | Hay | 189.00', { color: 'olive' }],
  ),
  pair(
    'one colour field only',
    ['Muuto Fiber Side Chair ochre | Muuto | 219.00'],
    ['Muuto Fiber Side Chair ochre | Muuto | 219.00', { color: 'ochre' }],
  ),
  pair(
    'same barcode, other language',
    ['Kinder Puzzle Bauernhof 24 Teile | Ravensburger | 7.99', { gtin: '4005556050857' }],
    ['Children puzzle farm 24 pieces | Ravensburger | 8.49', { gtin: '4005556050857' }],
  ),
  pair(
    'barcode padded',
    ['Bialetti Moka Express | Bialetti | 29.90', { gtin: '8006363018463' }],
    ['Moka pot, six cups | | 31.00', { gtin: '08006363018463' }],
  ),
  pair(
    'part number with and without dash',
    ['Heat pump dryer | Miele | 899.00', { mpn: 'TEA-225 WP' }],
    ['Miele Wärmepumpentrockner | Miele | 879.00', { mpn: 'TEA225WP' }],
  ),
  pair(
    'same address',
    ['Hydro Flask bottle 21 oz | Hydro Flask | 39.95', { link: 'https://shop.example/p/hydro-21' }],
    ['Hydro Flask Standard Mouth 21 oz | Hydro Flask | 39.95', { link: 'https://shop.example/p/hydro-21' }],
  ),
  pair(
    'address with a campaign',
    ['Chemex Classic 6 cup | Chemex | 45.00', { link: 'https://shop.example/chemex?utm_source=x' }],
    ['Chemex coffeemaker classic | Chemex | 45.00', { link: 'https://shop.example/chemex' }],
  ),
  pair(
    'Polish title reordered',
    ['Garnek emaliowany 3 l biały Silesia | Silesia | 79.00'],
    ['Silesia garnek emaliowany biały 3l | Silesia | 79.00'],
  ),
  pair(
    'Dutch and English colour',
    ['Brabantia Touch Bin 30 L zwart | Brabantia | 99.95'],
    ['Brabantia Touch Bin 30 L black | Brabantia | 99.95'],
  ),
  pair(
    'Cyrillic',
    ['Чайник эмалированный 2,5 л белый | Лысьва | 1290'],
    ['Эмалированный чайник белый 2,5л | Лысьва | 1290'],
  ),
  pair(
    'long title cut',
    ['Patagonia Better Sweater Fleece Jacket Men Navy M | Patagonia | 139.00'],
    ['Patagonia Better Sweater Fleece Jacket Mens Navy M | Patagonia | 139.00'],
  ),
  pair(
    'ASIN-like noise at the end',
    ['Zwilling Pro Chef Knife 20 cm | Zwilling | 119.00'],
    ['Zwilling Pro Chef Knife, 20 cm - Free Shipping | Zwilling | 119.00'],
  ),
]

export const different: readonly Judged[] = [
  pair(
    'another colour',
    ['Fjällräven Kånken Rucksack schwarz | Fjällräven | 94.95'],
    ['Fjällräven Kånken Rucksack rot | Fjällräven | 94.95'],
  ),
  pair(
    'another colour in another language',
    ['Opinel No.8 Couteau rouge | Opinel | 12.90'],
    ['Opinel No.8 Couteau blue | Opinel | 12.90'],
  ),
  pair(
    'another size',
    ['Patagonia Better Sweater Jacket navy M | Patagonia | 139.00'],
    ['Patagonia Better Sweater Jacket navy L | Patagonia | 139.00'],
  ),
  pair(
    'another size field',
    ['Levis 501 Original Jeans | Levis | 99.00', { size: '32/32' }],
    ['Levis 501 Original Jeans | Levis | 99.00', { size: '34/32' }],
  ),
  pair(
    'another pack',
    ['Duracell Plus AA Batteries 8 Pack | Duracell | 8.49'],
    ['Duracell Plus AA Batteries 12 Pack | Duracell | 10.99'],
  ),
  pair(
    'another volume',
    ['Ecover Washing Up Liquid Lemon 950ml | Ecover | 2.95'],
    ['Ecover Washing Up Liquid Lemon 450ml | Ecover | 2.50'],
  ),
  pair(
    'another model',
    ['Sony WH-1000XM4 Wireless Headphones | Sony | 279.00'],
    ['Sony WH-1000XM5 Wireless Headphones | Sony | 299.00'],
  ),
  pair(
    'another model letter',
    ['Samsung Galaxy A52 128GB | Samsung | 299.00'],
    ['Samsung Galaxy S52 128GB | Samsung | 299.00'],
  ),
  pair('another memory', ['Apple iPhone 13 128GB | Apple | 699.00'], ['Apple iPhone 13 256GB | Apple | 779.00']),
  pair('a bigger brother', ['Apple iPhone 13 128GB | Apple | 699.00'], ['Apple iPhone 13 Pro 128GB | Apple | 899.00']),
  pair('a smaller brother', ['Dyson V11 Absolute | Dyson | 499.00'], ['Dyson V11 Absolute Extra | Dyson | 519.00']),
  pair(
    'another scent',
    ['Ecover Washing Up Liquid Lemon 950ml | Ecover | 2.95'],
    ['Ecover Washing Up Liquid Chamomile 950ml | Ecover | 2.95'],
  ),
  pair(
    'another taste',
    ['Lindt Excellence Dark Orange 100g | Lindt | 2.99'],
    ['Lindt Excellence Dark Caramel 100g | Lindt | 2.99'],
  ),
  pair('another maker', ['Cast Iron Skillet 26 cm | Lodge | 44.95'], ['Cast Iron Skillet 26 cm | Skeppshult | 44.95']),
  pair(
    'another diameter',
    ['Lodge Cast Iron Skillet 26 cm | Lodge | 44.95'],
    ['Lodge Cast Iron Skillet 30 cm | Lodge | 49.95'],
  ),
  pair(
    'for women and for men',
    ['Patagonia Better Sweater Fleece Jacket Men Navy | Patagonia | 139.00'],
    ['Patagonia Better Sweater Fleece Jacket Women Navy | Patagonia | 139.00'],
  ),
  pair(
    'left and right',
    ['Hansgrohe Brausehalter links chrom | Hansgrohe | 35.00'],
    ['Hansgrohe Brausehalter rechts chrom | Hansgrohe | 35.00'],
  ),
  pair(
    'the part of it',
    ['Philips Sonicare 4100 Toothbrush | Philips | 49.99'],
    ['Replacement Brush Heads for Philips Sonicare 4100 Toothbrush | Philips | 24.99'],
  ),
  pair('its case', ['Apple iPhone 13 | Apple | 699.00'], ['Apple Silicone Case for iPhone 13 | Apple | 49.00']),
  pair(
    'its lid',
    ['Le Creuset Signature Bräter 24 cm | Le Creuset | 249.00'],
    ['Deckel für Le Creuset Signature Bräter 24 cm | Le Creuset | 69.00'],
  ),
  pair(
    'used and new',
    ['Canon EOS R6 Body | Canon | 1999.00', { condition: 'new' }],
    ['Canon EOS R6 Body | Canon | 1899.00', { condition: 'used' }],
  ),
  pair(
    'another material',
    ['Hay Pyramid Table oak 140 cm | Hay | 899.00'],
    ['Hay Pyramid Table walnut 140 cm | Hay | 899.00'],
  ),
  pair(
    'another material field',
    ['Hay Pyramid Table 140 cm | Hay | 899.00', { material: 'oak' }],
    ['Hay Pyramid Table 140 cm | Hay | 899.00', { material: 'beech' }],
  ),
  pair(
    'other barcodes',
    ['Moleskine Classic Notebook Large | Moleskine | 19.90', { gtin: '8051272893212' }],
    ['Moleskine Classic Notebook Large | Moleskine | 19.90', { gtin: '8051272893229' }],
  ),
  pair(
    'other part numbers',
    ['Bosch Wischblatt Aerotwin | Bosch | 24.90', { mpn: '3397007620' }],
    ['Bosch Wischblatt Aerotwin | Bosch | 24.90', { mpn: '3397007621' }],
  ),
  pair(
    'a part number of another maker',
    ['Filter | Mann | 9.90', { mpn: 'W712' }],
    ['Ölfilter lang | Mahle | 8.90', { mpn: 'W712' }],
  ),
  pair('far from the price', ['Rimowa Original Cabin | Rimowa | 1100.00'], ['Rimowa Original Cabin | Rimowa | 39.00']),
  pair(
    'with and without gift box',
    ['Riedel Vinum Bordeaux Glass set of 2 | Riedel | 49.90'],
    ['Riedel Vinum Bordeaux Glass set of 4 | Riedel | 89.90'],
  ),
  pair(
    'another year',
    ['Lonely Planet Japan 2019 | Lonely Planet | 19.99'],
    ['Lonely Planet Japan 2022 | Lonely Planet | 19.99'],
  ),
  pair(
    'another country',
    ['Lonely Planet Japan | Lonely Planet | 19.99'],
    ['Lonely Planet Jordan | Lonely Planet | 19.99'],
  ),
  pair(
    'another number of teeth',
    ['Bosch Kreissägeblatt 190 mm 24 Zähne | Bosch | 19.90'],
    ['Bosch Kreissägeblatt 190 mm 48 Zähne | Bosch | 24.90'],
  ),
  pair(
    'another voltage',
    ['Makita Akku-Bohrschrauber DDF482 18V | Makita | 99.00'],
    ['Makita Akku-Bohrschrauber DDF482 14.4V | Makita | 99.00'],
  ),
  pair('mini', ['Brompton Toolkit | Brompton | 55.00'], ['Brompton Toolkit Mini | Brompton | 55.00']),
  pair(
    'decaffeinated',
    ['Lavazza Caffè Crema Bohnen 1 kg | Lavazza | 14.99'],
    ['Lavazza Caffè Crema Bohnen entkoffeiniert 1 kg | Lavazza | 15.99'],
  ),
  pair(
    'another shade',
    ['Maybelline Superstay Matte Ink Lover | Maybelline | 8.95'],
    ['Maybelline Superstay Matte Ink Pioneer | Maybelline | 8.95'],
  ),
  pair('another finger', ['Ring Silber Gr. 54 | Pilgrim | 29.95'], ['Ring Silber Gr. 56 | Pilgrim | 29.95']),
  pair(
    'light and dark of a colour',
    ['Farrow Emulsion Light Blue 2.5 L | Farrow | 59.00'],
    ['Farrow Emulsion Dark Blue 2.5 L | Farrow | 59.00'],
  ),
  pair(
    'same address for two colours',
    ['Wool scarf red | Lumo | 29.00', { link: 'https://shop.example/scarf' }],
    ['Wool scarf green | Lumo | 29.00', { link: 'https://shop.example/scarf' }],
  ),
  pair(
    'placeholder barcode',
    ['Vase Rosa | Hay | 29.00', { gtin: '0000000000000' }],
    ['Lampe Tripod | Hay | 99.00', { gtin: '0000000000000' }],
  ),
  pair(
    'in-store barcode',
    ['Käse am Stück | Hofgut | 9.00', { gtin: '2012345000000' }],
    ['Wurst am Stück | Hofgut | 7.00', { gtin: '2012345000000' }],
  ),
]
