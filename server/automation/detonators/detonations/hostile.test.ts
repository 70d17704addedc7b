import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { STATES, UNDER_WAY } from './states.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
let detonator: { id: number }
before(async () => {
  corvus = await startDetonators()
  detonator = await corvus.detonator()
})
after(() => corvus.stop())

const WRONG: readonly unknown[] = [7, 'x', true, null, [], {}, [[]], { a: 1 }, -1, '\u0000', [null], '\ud800']
const SAMPLES = ['file', 'attachment', 'observable', 'url', 'data']

let counter = 0
const content = () => base64(`A hostile program ${++counter}.`)
const post = (data: object) => corvus.call('POST', 'detonations', { data })
const detailsOf = ({ body }: { body: { detail: string }[] }) => body.map(({ detail }) => detail)

test('a value of a wrong type in any field of a request is refused with the name of the field', async () => {
  for (const field of ['detonator', 'detonators', ...SAMPLES, 'filename', 'tlp_color', 'options']) {
    for (const value of WRONG) {
      const sample = SAMPLES.includes(field) ? {} : { data: content() }
      const given = field === 'detonators' ? {} : { detonator: detonator.id }
      const answer = await post({ ...given, ...sample, [field]: value })
      const what = `${field} ${JSON.stringify(value)} ${JSON.stringify(answer.body)}`
      assert.ok(answer.status < 500, what)
      if (answer.status >= 400)
        assert.ok(
          detailsOf(answer).some((detail) => detail.includes(field)),
          what,
        )
    }
  }
})

test('options of wrong types and unknown ones are refused, each with its name', async () => {
  for (const [options, name] of [
    [{ timeout: 'x' }, 'timeout'],
    [{ timeout: 1e9 }, 'timeout'],
    [{ network: 'yes' }, 'network'],
    [{ unknown: 1 }, 'unknown'],
    [{ constructor: 1 }, 'constructor'],
  ] as const) {
    const answer = await post({ detonator: detonator.id, data: content(), options })
    assert.deepEqual([answer.status, detailsOf(answer)[0]?.split(':')[0]], [400, `options.${name}`])
  }
})

test('a name of a file has no folders and no lines, for readers, the vendor and the archive', async () => {
  const filename = '../..\\..\\a\r\nx-evil: 1"b\u202e.exe'
  const made = (await post({ detonator: detonator.id, data: content(), filename })).body.data
  assert.equal(made.filename, 'ax-evil: 1"b.exe')
  corvus.startLane()
  await corvus.inState(made.id, ['FINISHED'])
  await corvus.stopLanes()
  const sent = corvus.vendor.received('submit').map(({ body }) => body.toString())
  assert.equal(sent.filter((body) => body.includes('filename="ax-evil: 1%22b.exe"\r\n')).length, 1)
  const { headers, statusCode } = await corvus.app.inject({
    url: `/api/v2/detonations/${made.id}/sample`,
    headers: { authorization: `Bearer ${corvus.admin}` },
  })
  assert.equal(statusCode, 200)
  assert.match(String(headers['content-disposition']), /^attachment; filename="ax-evil_ 1_b\.exe\.zip"/)
})

for (const state of STATES) {
  test(`a detonation that is ${state} ${UNDER_WAY.includes(state) ? 'is' : 'cannot be'} cancelled`, async () => {
    const { id } = (await post({ detonator: detonator.id, data: content() })).body.data
    const isOver = !UNDER_WAY.includes(state)
    await corvus.pool.query(
      'update detonations set state = $2, finished_at = case when $3 then now() end where id = $1',
      [id, state, isOver],
    )
    const { status } = await corvus.call('POST', `detonations/${id}/cancel`)
    const after = await corvus.read(id)
    assert.deepEqual([status, after.state], isOver ? [409, state] : [200, 'CANCELLED'])
  })
}
