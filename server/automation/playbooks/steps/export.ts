import { z } from 'zod'
import { EVERYTHING } from '../../../exchange/exporting/configuration.ts'
import { exporting } from '../../../exchange/exporting/payload.ts'
import { permissionsFor } from '../../../exchange/exporting/rules.ts'
import { CONTENT_TYPES } from '../../../formats/formats.ts'
import { explained } from '../acting/explained.ts'
import { beginExport, readExport } from '../acting/exports.ts'
import { once } from '../acting/once.ts'
import { outOfScope, readSubject, UNSEEN } from '../acting/subject.ts'
import { defineStep, type StepResult, type Waiting } from '../step.ts'

const parameters = z.object(exporting)

/** Exports the entity to an export block. */
export const exportStep = defineStep({
  kind: 'export',
  title: 'Export',
  description: 'Exports the entity to a document that the owner of the playbook can download, and waits for it.',
  outcomes: {
    exported: 'The document was written.',
    out_of_scope: 'The owner of the playbook does not see the entity, or the configuration keeps it back.',
  },
  collections: ['entities'],
  parameters,
  templates: [],
  permissions: ({ content_type, content_configuration }) =>
    CONTENT_TYPES.filter(({ urn }) => urn === content_type).flatMap((type) =>
      permissionsFor(type, content_configuration ?? EVERYTHING),
    ),
  act: async (step, given) => {
    if (!(await readSubject(step))) return outOfScope(UNSEEN)
    if (step.isDryRun) return { outcome: 'exported', output: { entities: 1 } }
    const { output } = await once(step, () => explained(() => beginExport(step, given)))
    return look(step, { task_run: output.task_run, since: new Date().toISOString() })
  },
  resume: (step, _, waitsFor) => look(step, waitsFor),
})

const [SOONEST_SECONDS, LATEST_SECONDS] = [2, 60]

async function look(
  { ctx }: Parameters<typeof readSubject>[0],
  waitsFor: Waiting['waitsFor'],
): Promise<StepResult | Waiting> {
  const ended = await readExport(ctx, String(waitsFor.task_run))
  if (ended)
    return ended.entities > 0 ? ended.result : outOfScope('The configuration of the export keeps the entity back.')
  const waited = (Date.now() - Date.parse(String(waitsFor.since))) / 1000
  return { waitsFor, retryInSeconds: Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, Math.round(waited / 4))) }
}
