import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { corvus, count, indicator, make } from '../../../test/set-up/entities.ts'

test('observables come as ids, URLs, type and value, extracts and manual extracts', async () => {
  const known = (await corvus.call('POST', 'observables', { type: 'ipv4', value: '192.0.2.1' })).body.data
  const made = await make({
    ...indicator('Observed', { extracts: [{ kind: 'domain', value: 'extract.example' }] }),
    meta: {
      manual_extracts: [
        {
          kind: 'uri',
          value: 'hxxp://manual[.]example/a',
          link_type: 'sighted',
          classification: 'bad',
          confidence: 'high',
        },
      ],
    },
    observables: [known.id, `${BASE}/api/v2/observables/${known.id}`, { type: 'email', value: 'A@Example.com' }],
  })
  assert.equal(made.observables.length, 4)
  const values = await Promise.all(
    made.observables.map(async (url: string) => (await corvus.call('GET', url.replace(BASE, ''))).body.data),
  )
  const byType = Object.fromEntries(values.map((observable) => [observable.type, observable]))
  assert.equal(byType.uri.value, 'http://manual.example/a')
  assert.equal(byType.uri.meta.maliciousness, 'high')
  assert.equal(byType.email.value, 'a@example.com')
  assert.equal('manual_extracts' in made.meta, false)
  const bad = await corvus.call('POST', 'entities', {
    ...indicator('x', { extracts: [{ kind: 'nonsense', value: 'x' }] }),
    observables: [{ type: 'ipv4', value: '1.2.3.400' }, { type: 'x', value: 'y' }, 999_999_999],
  })
  assert.equal(bad.status, 400)
  assert.equal(bad.body.length, 3, JSON.stringify(bad.body))
})

test('taxonomies are accepted by id, URL and path, and unknown ones are reported', async () => {
  const nodes = (await corvus.call('POST', 'taxonomies', { data: { path: ['Sector', 'Finance'] } })).body.data
  const [root, leaf] = nodes
  const made = await make({
    ...indicator('Classified'),
    meta: { taxonomies: [leaf.id, `${BASE}/api/v2/taxonomies/${leaf.id}`, 'Sector/Finance', 'Sector'] },
  })
  const url = (id: number) => `${BASE}/api/v2/taxonomies/${id}`
  assert.deepEqual(made.meta.taxonomies, [url(root.id), url(leaf.id)])
  assert.equal(await count(`filter[meta.taxonomies]=${leaf.id}`), 1)
  assert.equal(await count('filter[taxonomies]=Sector/Finance'), 1)
  assert.equal((await corvus.call('DELETE', `entities/${made.id}/taxonomies/${leaf.id}`)).status, 204)
  assert.equal(await count(`filter[meta.taxonomies]=${leaf.id}`), 0)
  assert.equal((await corvus.call('PUT', `entities/${made.id}/taxonomies/${leaf.id}`)).status, 200)
  assert.deepEqual((await corvus.call('GET', `entities/${made.id}/taxonomies`)).body.data, [url(root.id), url(leaf.id)])
  const { status, body } = await corvus.call('POST', 'entities', {
    ...indicator('x'),
    meta: { taxonomies: ['No/Such', 999_999], attacks: ['?!'] },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail.split(':')[0]),
    ['meta.taxonomies[0]', 'meta.taxonomies[1]', 'meta.attacks[0]'],
  )
})

test('attacks are kept by their ids, answered as URLs, and have a relation path', async () => {
  const made = await make({ ...indicator('Attacking'), meta: { attacks: ['enterprise-attack', 'TA0001:T1566.001'] } })
  const url = (id: string) => `${BASE}/api/v2/attacks/${id}`
  assert.deepEqual(made.meta.attacks, [url('enterprise-attack'), url('TA0001:T1566.001')])
  const path = `entities/${made.id}/attacks`
  const added = await corvus.call('POST', path, { data: [url('TA0002:T1059'), 'TA0001:T1566.001'] })
  assert.equal(added.status, 200)
  assert.equal(added.body.data.length, 3)
  assert.equal(await count('filter[meta.attacks]=TA0002:T1059'), 1)
  assert.equal((await corvus.call('GET', `${path}/TA0002:T1059`)).status, 200)
  assert.equal((await corvus.call('DELETE', `${path}/TA0002:T1059`)).status, 204)
  assert.equal((await corvus.call('GET', `${path}/TA0002:T1059`)).status, 404)
  assert.equal((await corvus.call('PUT', `${path}/T1059`)).status, 400)
  assert.equal(await count('filter[meta.attacks]=TA0002:T1059'), 0)
})

test('an unknown STIX id becomes a placeholder, and the entity when it arrives', async () => {
  const ref = 'malware--8d2f1b3c-1111-4222-8333-444455556666'
  await make({
    data: { type: 'report', title: 'Refers', object_refs: [ref, 'ipv4-addr--8d2f1b3c-1111-4222-8333-444455556667'] },
  })
  const placeholder = (await corvus.call('GET', `entities?filter[data.id]=${ref}`)).body.data[0]
  assert.equal(placeholder.meta.is_unresolved_idref, true)
  assert.equal(placeholder.data.type, 'malware')
  assert.equal(await count('filter[meta.is_unresolved_idref]=true'), 1)
  const { status, body } = await corvus.call('PUT', 'entities', [
    { data: { type: 'malware', title: 'Arrived', id: ref } },
  ])
  assert.equal(status, 201, 'it had not been sent before')
  assert.equal(body.data[0].id, placeholder.id)
  assert.equal(body.data[0].meta.is_unresolved_idref, false)
  assert.equal((await corvus.call('GET', `entities/${placeholder.id}/versions`)).body.total_count, 0)
  assert.equal(await count('filter[meta.is_unresolved_idref]=true'), 0)
})
