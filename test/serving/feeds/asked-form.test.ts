import { expect, test } from 'vitest'
import { askedForm } from '../../../serving/feeds/asked-form.ts'

test.each([
  [undefined, 'xml'],
  ['', 'xml'],
  ['*/*', 'xml'],
  ['text/html, */*;q=0.1', 'xml'],
  ['text/csv', 'csv'],
  ['Text/CSV; charset=utf-8', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/x-ndjson', 'ndjson'],
  ['text/*', 'xml'],
  ['application/xml;q=0.2, text/csv;q=0.8', 'csv'],
  ['*/*, application/x-ndjson', 'ndjson'],
  ['text/csv;q=0, */*', 'xml'],
  ['application/xml;q=0, */*', 'csv'],
  ['application/json', null],
  ['text/csv;q=0', null],
  ['text/csv;q=much', null],
])('of a platform that takes XML, Accept %j is %j', (accept, form) => {
  expect(askedForm(undefined, accept, 'xml')).toBe(form)
})

test('format is stronger than Accept', () => {
  expect(askedForm('tsv', 'application/xml', 'xml')).toBe('tsv')
})
