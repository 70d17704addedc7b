import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logSourcesOf } from './node-defense-queries.ts'

const reference = (defense: number, name: string, channel = '') => ({
  from_defense: `https://corvus.example/api/v2/attack-defenses/${defense}`,
  name,
  channel,
})

test('an analytic has its named log sources once, and says which are collected', () => {
  const references = [reference(1, 'Sysmon', '1'), reference(1, 'Sysmon', '1'), reference(1, ''), reference(2, 'Proxy')]
  const sources = [
    { name: 'Sysmon', channel: '1', is_collected: true },
    { name: 'Proxy', channel: '', is_collected: false },
  ]
  assert.deepEqual(logSourcesOf({ id: 1 }, references, sources), [{ name: 'Sysmon', channel: '1', isCollected: true }])
  assert.deepEqual(logSourcesOf({ id: 2 }, references, sources), [{ name: 'Proxy', channel: '', isCollected: false }])
  assert.deepEqual(logSourcesOf({ id: 3 }, references, sources), [])
})
