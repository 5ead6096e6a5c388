/** The classes of a broker as the Java machine takes them at once: what the first run on this machine leaves, with which a broker starts for half the work. */
import { access, rename } from 'node:fs/promises'
import { ofBroker } from './jars.ts'

/** Of another Java, or of other jars, it takes no notice of them. */
const kept = `${ofBroker.folder}.jsa`

export const areClassesKept = () =>
  access(kept).then(
    () => true,
    () => false,
  )

/** Flags of a broker that has them. */
export const withClasses = [`-XX:SharedArchiveFile=${kept}`]

/** Flags of one that leaves them at its end, if that comes in good order. */
export const leavingClasses = (draft: string) => [`-XX:ArchiveClassesAtExit=${draft}`]

export const keepClasses = (draft: string) => rename(draft, kept).catch(() => {})
