import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** What an installation has to choose. */
const choice = z.strictObject({
  path: z.string().describe('The member of the playbook, such as `steps[0].users` or `trigger.query`.'),
  title: z.string(),
  collection: z
    .string()
    .nullable()
    .describe('The collection of the objects to choose from; null for a text that is to be adapted.'),
})

/** A ready-made playbook as its file has it. The name of the file names it. */
const shipped = z.strictObject({
  title: z.string(),
  explanation: z.string(),
  trigger: z.looseObject({ type: z.string() }),
  steps: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
  choices: z.array(choice),
})

/** A ready-made playbook as editors need it. */
export const shownTemplate = z.object({
  name: z.string(),
  title: z.string(),
  explanation: z.string().describe('One paragraph for those who choose.'),
  choices: z.array(choice).describe('What is to be chosen before the playbook can be saved.'),
  playbook: z.looseObject({}).describe('The body for `POST /playbooks`, without what is to be chosen.'),
})

const folder = new URL('./', import.meta.url)
const EXTENSION = '.json'

/** The ready-made playbooks, by their titles. They are read once, when the server starts. */
export const playbookTemplates: readonly z.output<typeof shownTemplate>[] = readdirSync(folder)
  .filter((file) => file.endsWith(EXTENSION))
  .map((file) => {
    const name = file.slice(0, -EXTENSION.length)
    const read = shipped.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    const { title, explanation, choices, trigger, steps } = read
    const playbook = { name: title, description: explanation, template: name, is_active: false, trigger, steps }
    return { name, title, explanation, choices, playbook }
  })
  .sort((a, b) => (a.title < b.title ? -1 : 1))
