/** Largest source file that is read, in bytes (corpus-and-migrations.md 10.2). */
export const SOURCE_FILE_BYTES = 8_388_608;

/** Most path segments below a root, the file name included (corpus-and-migrations.md 10.2). */
export const PATH_DEPTH = 32;

/** Most symbolic links that one path may lead through (daemon-and-setup.md 9.2). */
export const LINK_HOPS = 40;
