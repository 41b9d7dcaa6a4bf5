package io.github.liquidscheduler.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Says in words what went wrong with a file: the platform's exceptions often name it only. */
final class Failures {

  private Failures() {}

  static UncheckedIOException reading(String source, IOException e) {
    return new UncheckedIOException("cannot read '" + source + "': " + reason(e), e);
  }

  static UncheckedIOException writing(String target, IOException e) {
    return new UncheckedIOException("cannot write '" + target + "': " + reason(e), e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no such file or folder";
      case FileAlreadyExistsException there -> "it is there already";
      case AccessDeniedException denied -> "access is denied";
      default -> String.valueOf(e.getMessage());
    };
  }
}
