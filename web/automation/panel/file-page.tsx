import { FilePage } from '../../exchange/file.tsx'
import { DetonateButton } from '../detonations/detonate-button.tsx'
import { DetonationsPanel } from '../detonations/detonations-panel.tsx'

/** The page of a file, which can be detonated, with its detonations. */
export const FileWithDetonations = () => (
  <FilePage
    actions={({ id, name, tlp_color }) => (
      <DetonateButton sample={{ via: 'file', id, name: name || `File ${id}`, tlp: tlp_color }} />
    )}
  >
    {({ id }) => <DetonationsPanel of="file" id={id} />}
  </FilePage>
)
