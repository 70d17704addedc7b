import { testWorlds } from './suite.ts'

testWorlds(4)
