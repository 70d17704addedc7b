import { saveFile } from '../../ui/save-file.ts'
import type { Names } from './names.ts'
import type { Step, StepKind } from './playbook.ts'
import { exported } from './references.ts'

/** Downloads a playbook as a JSON file, which can be imported here and in other installations. */
export function saveAsFile(
  playbook: Parameters<typeof exported>[0],
  steps: readonly Step[],
  kinds: readonly StepKind[],
  names: Names,
): void {
  const text = JSON.stringify(exported(playbook, steps, kinds, names.of), null, 2)
  const name = playbook.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  saveFile(new Blob([text], { type: 'application/json' }), `${name || 'playbook'}.json`)
}
