import { DatasetMenu } from '../../ai/summaries/dataset-menu.tsx'
import { DatasetWithMatrix } from '../../attack/matrix/dataset-page.tsx'

/** The page of a dataset, with the matrix of its entities and a summary. */
export const DatasetWithMenu = () => <DatasetWithMatrix actions={(dataset) => <DatasetMenu dataset={dataset} />} />
