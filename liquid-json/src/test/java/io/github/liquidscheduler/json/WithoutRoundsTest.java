package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The codecs of the API on a class path that has no {@code liquid-rounds}. */
class WithoutRoundsTest {

  @Test
  void jobsAreReadAndWrittenWithoutIt() throws IOException, ReflectiveOperationException {
    try (URLClassLoader loader =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class<?> codecs = loader.loadClass("io.github.liquidscheduler.json.JsonCodecs");
      Object codec = codecs.getField("JOB").get(null);
      String job =
          "{\"id\":\"train-7\",\"roles\":[{\"name\":\"worker\",\"count\":2,\"request\":{\"gpus\":4}}]}";

      Object read =
          codec.getClass().getMethod("read", String.class, String.class).invoke(codec, "job", job);

      assertThat(codec.getClass().getMethod("write", Object.class).invoke(codec, read))
          .asString()
          .contains("train-7");
      assertThat(loader.getResource("io/github/liquidscheduler/rounds/RoundEvent.class")).isNull();
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("liquid-rounds"))
        .map(WithoutRoundsTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }
}
