import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../../test/effort.ts'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { until } from '../../../../test/until.ts'
import { TLP, tlpRank } from '../../../domain/tlp.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
before(async () => {
  corvus = await startDetonators()
})
after(() => corvus.stop())

const ANALYST = [
  'read detonations',
  'modify detonations',
  'read detonators',
  'read files',
  'modify files',
  'read extracts',
]

const CEILING = 'GREEN'

const history = fc.record({
  files: fc.array(
    fc.record({
      owner: fc.nat(1),
      colour: fc.constantFrom('WHITE', 'GREEN', 'AMBER', 'RED'),
      later: fc.constantFrom(null, 'WHITE', 'RED', 'deleted'),
      isExcluded: fc.nat(9).map((n) => n === 0),
      isAddress: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  consents: fc.tuple(fc.boolean(), fc.boolean()),
  withdraws: fc.tuple(fc.boolean(), fc.boolean()),
  ceiling: fc.constantFrom(CEILING, 'WHITE', 'AMBER'),
})

let counter = 0

test('whatever happens between a request and its submission, the vendor receives only what it may', async () => {
  const detonator = await corvus.detonator()
  const users = [await corvus.personIn('One', ANALYST, []), await corvus.personIn('Two', ANALYST, [])]
  await fc.assert(
    fc.asyncProperty(history, async ({ files, consents, withdraws, ceiling }) => {
      corvus.vendor.reset()
      await corvus.ask('PATCH', `detonators/${detonator.id}`, { max_tlp: CEILING })
      for (const [i, { token }] of users.entries()) {
        await corvus.call('DELETE', `detonators/${detonator.id}/consent`, undefined, token)
        if (consents[i]) await corvus.consent(detonator.id, token)
      }
      const samples = []
      for (const file of files) {
        const marker = `tainted-${++counter}-`
        const token = users[file.owner]?.token
        if (file.isAddress) {
          const body = { detonator: detonator.id, url: `https://${marker}x.example/`, tlp_color: file.colour }
          const { status } = await corvus.call('POST', 'detonations', { data: body }, token)
          samples.push({ ...file, later: null, marker, isAccepted: status === 201 })
          continue
        }
        const item = { name: `${marker}.bin`, data: base64(marker), process: false, tlp_color: file.colour }
        const stored = await corvus.ask('POST', 'files', item, token)
        const body = { detonator: detonator.id, file: stored.id }
        const { status } = await corvus.call('POST', 'detonations', { data: body }, token)
        samples.push({ ...file, marker, isAccepted: status === 201 })
        if (file.isExcluded)
          await corvus.ask('POST', 'exclusion-lists', { name: marker, types: [], entries: [stored.hashes.sha256] })
        if (file.later === 'deleted') await corvus.ask('DELETE', `files/${stored.id}`, undefined, token)
        else if (file.later) await corvus.ask('PATCH', `files/${stored.id}`, { tlp_color: file.later }, token)
      }
      for (const [i, { token }] of users.entries())
        if (withdraws[i]) await corvus.call('DELETE', `detonators/${detonator.id}/consent`, undefined, token)
      await corvus.ask('PATCH', `detonators/${detonator.id}`, { max_tlp: ceiling })
      corvus.startLane()
      await until(async () => {
        await corvus.hurry()
        const { rows } = await corvus.pool.query(
          `select from detonations where state in ('WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING') limit 1`,
        )
        return rows.length === 0
      }, 'something is stuck')
      await corvus.stopLanes()
      const rankOf = (colour: string) => tlpRank(TLP.find((each) => each === colour) ?? 'RED')
      const received = corvus.vendor
        .received()
        .map(({ path, body, headers }) => `${path} ${JSON.stringify(headers)} ${body}`)
      for (const { marker, owner, colour, later, isExcluded, isAddress, isAccepted } of samples) {
        const mayAsk = consents[owner] && rankOf(colour) <= rankOf(CEILING)
        assert.equal(isAccepted, Boolean(mayAsk), marker)
        const now = later ?? colour
        const isExpected =
          mayAsk &&
          !withdraws[owner] &&
          later !== 'deleted' &&
          rankOf(now) <= rankOf(ceiling) &&
          (isAddress || !isExcluded)
        // Addresses are no part of what this vendor receives.
        if (!isAddress)
          assert.equal(
            received.some((each) => each.includes(marker)),
            Boolean(isExpected),
            marker,
          )
        const { rows } = await corvus.pool.query(
          `select t.state from detonations as t where t.url like $1 or exists (
            select from detonation_requesters as r where r.detonation = t.id and r.filename like $1)`,
          [`%${marker}%`],
        )
        if (isAccepted) assert.equal(rows[0]?.state, isExpected ? 'FINISHED' : 'REFUSED', marker)
      }
    }),
    { numRuns: effort(60, 8) },
  )
})
