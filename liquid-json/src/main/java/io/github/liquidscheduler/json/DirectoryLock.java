package io.github.liquidscheduler.json;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock on a directory, held by one object of one process, which the file says. Where any channel
 * of a process closes a file, POSIX ends all locks of the process on it: so a second lock of this
 * process is refused before the file is opened.
 */
final class DirectoryLock implements AutoCloseable {

  // Never iterated.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel file;

  private DirectoryLock(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /**
   * Locks a directory.
   *
   * @throws IllegalStateException if it is locked
   */
  static DirectoryLock of(Path folder) throws IOException {
    Path real = folder.toRealPath();
    if (!HELD_HERE.add(real)) {
      throw refuse(folder, "this process");
    }
    boolean isLocked = false;
    try {
      DirectoryLock lock = new DirectoryLock(real, lockedFile(folder));
      isLocked = true;
      return lock;
    } finally {
      if (!isLocked) {
        HELD_HERE.remove(real);
      }
    }
  }

  private static FileChannel lockedFile(Path folder) throws IOException {
    Path path = folder.resolve("lock");
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      isLocked = file.tryLock() != null;
      if (!isLocked) {
        throw refuse(folder, "process " + Files.readString(path).strip());
      }
      file.truncate(0);
      file.write(
          ByteBuffer.wrap(
              (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
      return file;
    } finally {
      if (!isLocked) {
        file.close();
      }
    }
  }

  private static IllegalStateException refuse(Path folder, String holder) {
    return new IllegalStateException(
        "a directory of journals is for one writer at a time, but '%s' is locked by %s"
            .formatted(folder, holder));
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw Failures.writing(folder.toString(), e);
    } finally {
      HELD_HERE.remove(folder);
    }
  }
}
