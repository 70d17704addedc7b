import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_FACE } from './faces.ts'
import { matrixCsv } from './matrix-csv.ts'

test('each cell is a line, and no cell is a formula', () => {
  const place = { id: 'TA1:T1', name: '=1+1, "x"', externalId: 'T1', platforms: [], parent: null, subs: [] }
  const face = { ...NO_FACE, score: 1 / 3, share: 0.5, gap: 0.125, mark: 'left' as const }
  const tactic = { id: 'TA1', name: 'Access', externalId: 'TA1', techniques: [] }
  assert.equal(
    matrixCsv([{ tactic, cells: [{ place, face, isOpen: undefined }], used: 1, count: 1 }]),
    [
      'tactic_id,tactic,node,technique_id,name,score,covered,gap,side\r\n',
      `TA1,Access,TA1:T1,T1,"'=1+1, ""x""",0.333,0.5,0.125,left\r\n`,
    ].join(''),
  )
})
