import type { Insert } from './inserter.ts'
import { type Instance, id, text } from './instance.ts'
import type { Playbook, PlaybookRun } from './playing.ts'
import { NAMING } from './world.ts'

const FUTURE = '2100-01-01T00:00:00Z'

/** Ids that no object has. */
const DELETED = { entities: '00000000-0000-7000-8009-000000000000', observables: '2147483647', files: '2147483647' }

/** Writes playbooks, and what their runs did. */
export async function insertPlaybooks(insert: Insert): Promise<void> {
  const columns =
    'id integer, name text, is_active boolean, trigger jsonb, steps jsonb, owner integer, paused_at timestamptz, paused_reason text, created_by integer'
  await insert('playbooks', columns, (instance) =>
    instance.world.holdings.playbooks.map((playbook) => ({
      id: id(instance, playbook.name),
      name: text(instance, playbook.name),
      is_active: playbook.condition !== 'inactive',
      trigger: { type: 'manual', collection: playbook.collection },
      steps: stepsOf(playbook),
      owner: id(instance, playbook.owner),
      ...(playbook.condition === 'paused' && {
        paused_at: '2026-01-01T00:00:00Z',
        paused_reason: text(instance, `${playbook.name}reason`),
      }),
      created_by: id(instance, playbook.owner),
    })),
  )
  await insert('playbook_versions', 'playbook integer, version integer, trigger jsonb, steps jsonb', (instance) =>
    instance.world.holdings.playbooks.map((playbook) => ({
      playbook: id(instance, playbook.name),
      version: 1,
      trigger: { type: 'manual', collection: playbook.collection },
      steps: stepsOf(playbook),
    })),
  )
  await insertRuns(insert)
}

/** The parameters of steps, the same in all worlds. */
const DRAFTS = {
  tag: { added: ['shared'], removed: [] },
  condition: { query: NAMING, outcomes: [] },
  ticket: { title: 'Look at {title}' },
  create_entity: { type: 'incident', title: 'Incident of {title}' },
  rate: { maliciousness: 'high' },
}

export const stepsOf = ({ steps }: Playbook) =>
  steps.map((kind, i) => ({
    id: `step${i}`,
    kind,
    name: null,
    only_if: [],
    on_failure: 'continue',
    ...DRAFTS[kind],
  }))

async function insertRuns(insert: Insert): Promise<void> {
  const columns =
    'id uuid, playbook integer, version integer, collection text, object text, occurrence text, cause text, state text, reason text, due_at timestamptz, created_at timestamptz, created_by integer, started_at timestamptz, ended_at timestamptz'
  await insert('playbook_runs', columns, (instance) => {
    const { playbooks, playbookRuns } = instance.world.holdings
    return playbookRuns.map((run, i) => {
      const collection = playbooks.find(({ name }) => name === run.playbook)?.collection ?? 'entities'
      const at = new Date(Date.parse('2026-01-01T00:00:00Z') + i * 1000).toISOString()
      return {
        id: id(instance, run.name),
        playbook: id(instance, run.playbook),
        version: 1,
        collection,
        object: run.object === null ? DELETED[collection] : id(instance, run.object),
        occurrence: run.name,
        cause: run.starter === null ? 'change' : 'manual',
        state: run.state,
        reason: text(instance, `${run.name}reason`),
        due_at: FUTURE,
        created_at: at,
        created_by: run.starter && id(instance, run.starter),
        started_at: run.state === 'PENDING' ? null : at,
        ended_at: run.state === 'PENDING' || run.state === 'WAITING' ? null : at,
      }
    })
  })
  await insert(
    'playbook_run_steps',
    'run uuid, position integer, step text, kind text, state text, outcome text, input jsonb, output jsonb, warnings text[], attempts integer',
    (instance) =>
      instance.world.holdings.playbookRuns.map((run) => ({
        run: id(instance, run.name),
        position: 0,
        step: 'step0',
        kind: 'tag',
        state: 'SUCCESS',
        outcome: 'changed',
        input: {},
        output: outputOf(instance, run),
        warnings: [],
        attempts: 1,
      })),
  )
}

/** Everything that steps of any kind put out. */
const outputOf = (instance: Instance, { ticket, entity, exported, detonations, observables }: PlaybookRun) => ({
  ...(ticket !== null && { ticket: Number(id(instance, ticket)), comment: 7 }),
  ...(entity !== null && { entity: id(instance, entity) }),
  ...(exported !== null && { export_block: Number(id(instance, exported)), losses: 0 }),
  detonations: detonations.map((name) => id(instance, name)),
  malicious_observables: observables.map((name) => Number(id(instance, name))),
})
