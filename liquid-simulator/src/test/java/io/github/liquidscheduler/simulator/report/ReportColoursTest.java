package io.github.liquidscheduler.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Colours of one set are told apart by everybody: as they are, and as they look to people without
 * one kind of cones (Machado, Oliveira and Fernandes, TVCG 15(6), 2009, severity 1).
 */
class ReportColoursTest {
  private static final Pattern COLOUR = Pattern.compile("#([0-9a-f]{6})");

  private static final List<double[][]> VIEWS =
      List.of(
          new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          new double[][] {
            {0.152286, 1.052583, -0.204868},
            {0.114503, 0.786281, 0.099216},
            {-0.003882, -0.048116, 1.051998}
          },
          new double[][] {
            {0.367322, 0.860646, -0.227968},
            {0.280085, 0.672501, 0.047413},
            {-0.011820, 0.042940, 0.968881}
          },
          new double[][] {
            {1.255528, -0.076749, -0.178779},
            {-0.078411, 0.930809, 0.147602},
            {0.004733, 0.691367, 0.303900}
          });

  /** The distance is that of CIELAB: about 2 is just noticed, 20 is clear. */
  @ParameterizedTest
  @CsvSource({
    "light, policies, 7, 26",
    "light, queues, 7, 26",
    "light, reasons, 6, 20",
    "dark, policies, 7, 26",
    "dark, queues, 7, 26",
    "dark, reasons, 6, 20"
  })
  void coloursOfASetDiffer(String theme, String set, int size, double least) throws IOException {
    List<double[]> colours = colours(theme, set);

    assertThat(colours).hasSize(size);
    for (double[][] view : VIEWS) {
      for (int i = 1; i < size; i++) {
        for (int j = 0; j < i; j++) {
          assertThat(distance(seen(view, colours.get(i)), seen(view, colours.get(j))))
              .as("%s and %s of %s", i, j, set)
              .isGreaterThanOrEqualTo(least);
        }
      }
    }
  }

  /** At least three to one, as WCAG 2.2 has it for graphics. */
  @ParameterizedTest
  @CsvSource({"light, ffffff", "dark, 161a20"})
  void linesStandOutFromTheirCard(String theme, String card) throws IOException {
    double ground = luminance(linear(card));

    assertThat(colours(theme, "policies"))
        .allMatch(
            colour -> {
              double own = luminance(colour);
              return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05) >= 3;
            });
  }

  private static List<double[]> colours(String theme, String set) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ReportPage.class.getResourceAsStream("report.js"))) {
      String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Matcher palette =
          Pattern.compile("(?s)" + theme + ": \\{.*?" + set + ": \\[(.*?)]").matcher(script);
      assertThat(palette.find()).isTrue();
      return COLOUR
          .matcher(palette.group(1))
          .results()
          .map(found -> linear(found.group(1)))
          .toList();
    }
  }

  private static double[] linear(String hex) {
    double[] linear = new double[3];
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16) / 255.0;
      linear[i] = part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
    return linear;
  }

  private static double luminance(double[] linear) {
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }

  private static double[] seen(double[][] view, double[] linear) {
    double[] seen = new double[3];
    for (int i = 0; i < 3; i++) {
      double sum = view[i][0] * linear[0] + view[i][1] * linear[1] + view[i][2] * linear[2];
      seen[i] = Math.clamp(sum, 0, 1);
    }
    return lab(seen);
  }

  private static double[] lab(double[] c) {
    double x = curve((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    double y = curve(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    double z = curve((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
  }

  private static double curve(double t) {
    return t > 216 / 24389.0 ? Math.cbrt(t) : (24389 / 27.0 * t + 16) / 116;
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(
        Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
  }
}
