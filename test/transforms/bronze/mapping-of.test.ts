import { describe, expect, test } from 'vitest'
import type { SilverSettings } from '../../../schemas/pipeline.ts'
import { targetsOf } from '../../../transforms/bronze/column-targets.ts'
import { mappingOf } from '../../../transforms/bronze/mapping-of.ts'
import { ownContext } from '../../../transforms/own-context.ts'
import { context } from './story.ts'

const settings: SilverSettings = {
  number: 1,
  mappings: { nightly: { b: 'title', c: 'images' } },
  everySource: { a: 'title', d: 'brand', e: 'images' },
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}

describe('the mapping of a source', () => {
  test('is that of all sources, but where its own takes a field that takes one column', () => {
    expect(mappingOf(settings, 'nightly')).toEqual({ b: 'title', c: 'images', d: 'brand', e: 'images' })
    expect(mappingOf(settings, 'weekly')).toEqual(settings.everySource)
    expect(mappingOf(settings, 'nightly')).toBe(mappingOf(settings, 'nightly'))
  })

  test('of a name that every object has is that of all', () => {
    expect(mappingOf(settings, 'constructor')).toEqual(settings.everySource)
    expect(mappingOf({ mappings: {} }, 'toString')).toEqual({})
  })
})

describe('the targets of a file', () => {
  const columns = (header: Record<string, 'title' | 'brand' | null>, id: number) => {
    const file = context(id, header)
    return Object.fromEntries(targetsOf('weekly', id, (one) => (one === id ? file : ownContext), settings).field)
  }

  test('take a field from its own column where it has the mapped one, and keep it where it has not', () => {
    expect(columns({ name: 'title', a: null }, 4)).toMatchObject({ a: 'title' })
    expect(columns({ name: 'title', a: null }, 4)).not.toHaveProperty('name')
    expect(columns({ name: 'title' }, 5)).toMatchObject({ name: 'title' })
  })

  test('are those that its header and the caller say, once a setting under which it was read is gone', () => {
    const read = context(6, { name: null, a: 'title' })
    const file = { ...read, proposed: context(6, { name: 'title' }).mapping }
    const fieldsOf = (everySource: SilverSettings['everySource']) =>
      Object.fromEntries(targetsOf('weekly', 6, () => file, { ...settings, everySource: everySource ?? {} }).field)
    expect(fieldsOf({ a: 'title' })).toEqual({ a: 'title' })
    expect(fieldsOf({})).toEqual({ name: 'title' })
    expect(fieldsOf({ a: 'mpn' })).toEqual({ name: 'title', a: 'mpn' })
  })

  test('of what Assay writes itself are its own names, whatever is mapped', () => {
    const own = targetsOf('weekly', 0, () => ownContext, { ...settings, everySource: { title: 'brand' } })
    expect(own.field.get('title')).toBe('title')
  })
})
