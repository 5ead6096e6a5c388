import { describe, expect, test } from 'vitest'
import { rowsIn } from '../../exported.ts'
import { parquetOf } from './parquet-of.ts'

/** A file that pyarrow wrote: DuckDB writes no floats of 16 bits. */
const pyarrows = [
  'UEFSMRUAFSoVPCwVBhUAFQYVBhwAAAAotS/9IBWpAAACAAAABgEBAAAAQQEAAABCAQAAAEMVABUUFSYsFQYVABUGFQYcAAAAKLUv/SAKUQAAAg',
  'AAAAMDLEoAaBUAFSYVOCwVCBUAFQYVBhwAAAAotS/9IBOZAAACAAAAAwIDAAAAA38ALEpmLgBoFQAVOhVMLBUKFQAVBhUGHAAAACi1L/0gHekA',
  'AAIAAAADCgMAAAAD/wCkcEVBzczMPQAAgEvseK1gFQAVHhUwLBUGFQAVBhUGHAAAACi1L/0gD3kAAAMAAAADGgCkcEVBzczMPRUAFTwVTiwVBh',
  'UAFQYVBhwAAAAotS/9IB7xAAACAAAABgIA6NATAbKfQkivvJry13o+AAAAAAAAFEAVABU6FUwsFQYVABUGFQYcAAAAKLUv/SAd6QAAAgAAAAYA',
  'AwAAAAMaAAMAAAAzLjAFAAAARkxPQVQVABUqFTwsFQYVABUGFQYcAAAAKLUv/SAVqQAAAgAAAAYAAwAAAAMfAJqZmT4AAKBAFQQZ/BA1ABgGc2',
  'NoZW1hFQwAFQwlAhgDc2t1JQBMHAAAABUOFQQVAhgBaGz8AAAANQIYAmhzFQIVBkw8AAAANQQYBGxpc3QVAgAVDhUEFQIYB2VsZW1lbnRs/AAA',
  'ADUCGAJmcxUCFQZMPAAAADUEGARsaXN0FQIAFQglAhgHZWxlbWVudAA1AhgCc3QVBAAVCCUCGAF3ABUKJQIYAWQANQIYAW0VAhUCTCwAAAA1BB',
  'gJa2V5X3ZhbHVlFQQAFQwlABgDa2V5JQBMHAAAABUIJQIYBXZhbHVlABYGGRwZjCYAHBUMGSUGABkYA3NrdRUMFgYWUBZiJghJHBUAFQAVAgA8',
  'FgYZBhkmAAYAAAAmABwVDhklBgAZGAFoFQwWBhY6FkwmakkcFQAVABUCADwpBhkmAgQAAAAmABwVDhklBgAZOAJocwRsaXN0B2VsZW1lbnQVDB',
  'YIFkwWXia2AUkcFQAVABUCADwpJgYCGUYAAgAGAAAAJgAcFQgZJQYAGTgCZnMEbGlzdAdlbGVtZW50FQwWChZgFnImlAJJHBUAFQAVAgA8KSYG',
  'BBlGAgAACAAAACYAHBUIGSUGABkoAnN0AXcVDBYGFkQWViaGA0kcFQAVABUCADwpBhk2AAIEAAAAJgAcFQoZJQYAGSgCc3QBZBUMFgYWYhZ0Jt',
  'wDSRwVABUAFQIAPCkGGTYAAAYAAAAmABwVDBklBgAZOAFtCWtleV92YWx1ZQNrZXkVDBYGFmAWcibQBEkcFQAVABUCADwWEBkmBgAZNgACBAAA',
  'ACYAHBUIGSUGABk4AW0Ja2V5X3ZhbHVlBXZhbHVlFQwWBhZQFmImwgVJHBUAFQAVAgA8KSYGABlGAAIABAAAABaMBRYGJggWnAYAKCBwYXJxdW',
  'V0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRmMHAAAHAAAHAAAHAAAHAAAHAAAHAAAHAAAANQCAABQQVIx',
].join('')

const cellsOf = async (bytes: Buffer) => (await rowsIn(bytes)).map(({ cells }) => cells)

describe('numbers in a Parquet file have the shortest text that is read back as the same', () => {
  test('of 16 bits and of 32, alone, in lists, in objects and in maps', async () => {
    expect(await cellsOf(Buffer.from(pyarrows, 'base64'))).toEqual([
      ['A', '12.34', '[12.34,0.1]', '[12.34,0.1]', '{"w":12.34,"d":8712345678906}', '{"3.0":0.3}'],
      ['B', '2.048e+3', '[2048]', '[16777216,100000000000000000000]', '{"w":0.1,"d":1e-7}', '{"FLOAT":5}'],
      ['C', '', '', '', '{"w":null,"d":5}', '{}'],
    ])
  })

  test('and nothing else in a list or an object is touched', async () => {
    const select = `select 'A' as sku, {"FLOAT": 0.1::float, "a,FLOAT)": '1.0', n: 12345678901234567890::ubigint, l: [1.0::double]} as a, {d: 3.0::decimal(5,1), f: 4::double} as b, [{x: 'FLOAT "1.0"', e: '3.0'::enum('3.0', 'FLOAT,')}] as c, {d: 3.50::decimal(5,2), f: 0.1::float} as e`
    expect(await cellsOf(await parquetOf(select))).toEqual([
      [
        'A',
        '{"FLOAT":0.1,"a,FLOAT)":"1.0","n":12345678901234567890,"l":[1]}',
        '{"d":3,"f":4}',
        '[{"x":"FLOAT \\"1.0\\"","e":"3.0"}]',
        '{"d":3.5,"f":0.1}',
      ],
    ])
  })

  test('and what is no number is none in a list either', async () => {
    const select = `select 'A' as sku, ['nan'::double, 'inf'::double, 1.5] as a, {f: '-inf'::float, g: 1.5::float} as b`
    expect(await cellsOf(await parquetOf(select))).toEqual([['A', '[null,null,1.5]', '{"f":null,"g":1.5}']])
  })

  test('beside a text that is none, whose row alone is rejected', async () => {
    const bytes = await parquetOf(
      `select * from (values ('A', {t: 'Caf?', f: 0.1::float}), ('B', {t: 'Mug', f: 0.2::float})) t(sku, a)`,
    )
    bytes[bytes.indexOf('Caf?') + 3] = 0xe9
    const rows = await rowsIn(bytes)
    expect(rows.map(({ fault }) => fault?.column)).toEqual(['a', undefined])
    expect(rows[1]?.cells).toEqual(['B', '{"t":"Mug","f":0.2}'])
  })
})
