import assert from 'node:assert/strict'
import { test } from 'node:test'
import { criteriaInWords, dataInWords } from './rule-words.ts'

const any = { entity_type: null, source: null, tlp: null, without_tlp: false } as const
const sources = new Map([['s1', 'Open feed']])

test('the criteria of an enrichment rule are alternatives of types, sources and TLP', () => {
  assert.deepEqual(criteriaInWords([], sources), ['All observables'])
  assert.deepEqual(
    criteriaInWords(
      [
        { ...any, entity_type: 'indicator', source: 'sources/s1', tlp: 'GREEN' },
        any,
        { ...any, source: 'sources/s1', tlp: 'RED', without_tlp: true },
      ],
      sources,
    ),
    ['Indicator, from Open feed, TLP:GREEN', 'All observables', 'All observables, from Open feed'],
  )
})

test('the data of an enrichment rule names the period of existing data', () => {
  assert.equal(dataInWords({ is_retroactive: false, time_field: 'start', time_period: 3 }), 'New data')
  assert.equal(dataInWords({ is_retroactive: true, time_field: null, time_period: null }), 'New and existing data')
  assert.equal(
    dataInWords({ is_retroactive: true, time_field: 'observed', time_period: 1 }),
    'New data, and data observed in the last day',
  )
  assert.equal(
    dataInWords({ is_retroactive: true, time_field: 'ingestion', time_period: 30 }),
    'New data, and data ingested in the last 30 days',
  )
})
