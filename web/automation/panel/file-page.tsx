import { FilePage } from '../../exchange/file.tsx'
import { DetonateButton } from '../detonations/detonate-button.tsx'
import { DetonationsPanel } from '../detonations/detonations-panel.tsx'
import { RunPlaybookButton } from '../playbooks/runs/run-button.tsx'

/** The page of a file, which can be detonated and have playbooks run on it, with its detonations. */
export const FileWithAutomation = () => (
  <FilePage
    actions={({ id, name, tlp_color }) => (
      <>
        <DetonateButton sample={{ via: 'file', id, name: name || `File ${id}`, tlp: tlp_color }} />
        <RunPlaybookButton size="sm" target={{ collection: 'files', ids: [id], count: 1 }} />
      </>
    )}
  >
    {({ hashes }) => <DetonationsPanel filter={{ 'filter[hashes.sha256]': hashes.sha256 }} />}
  </FilePage>
)
