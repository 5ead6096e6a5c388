import { expect, test } from 'vitest'
import { isPromotion } from '../../../transforms/gold/is-promotion.ts'

test.each([
  'Oak stool - FREE SHIPPING',
  'Oak stool, 20% off',
  'Oak stool -20 % Rabatt',
  'Buy now: oak stool',
  'Eichenhocker versandkostenfrei',
  'Tabouret, livraison gratuite',
  'Taburete envío gratis',
  'Banqueta FRETE GRÁTIS',
  'Sgabello spedizione gratuita',
  'Kruk gratis verzending',
  'Stołek darmowa dostawa',
  'Stolička doprava zdarma',
  'Табурет, бесплатная доставка',
  '【送料無料】スツール',
  '实木凳 包邮',
  '★ Oak stool ★',
  'Oak stool!!',
])('%j sells', (title) => {
  expect(isPromotion(title)).toBe(true)
})

test.each([
  'Oak stool',
  'Shirt, 100% cotton',
  'Orange juice 100 % direct, 1 l',
  'Carefree shipping crate label',
  'Free People dress',
  'Best Buy gift box',
  'Wow! The game',
  'Salesman briefcase',
  'Скидочная карта, держатель',
  '特选茶叶',
  'Müsli-Schale „Tallåsen“',
])('%j names', (title) => {
  expect(isPromotion(title)).toBe(false)
})
