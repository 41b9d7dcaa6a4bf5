package io.github.liquidscheduler.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which module a class comes from, told by the folder or jar that it was read from. */
final class Modules {
  static final String API = "liquid-api";
  static final String CLI = "liquid-cli";
  static final String ELASTIC = "liquid-elastic";
  static final String ESTIMATOR = "liquid-estimator";
  static final String FORMATS = "liquid-cluster-formats";
  static final String JSON = "liquid-json";
  static final String MICROMETER = "liquid-micrometer";
  static final String PLACEMENT = "liquid-placement";
  static final String PLANNER = "liquid-planner";
  static final String RECONCILE = "liquid-reconcile";
  static final String ROUNDS = "liquid-rounds";
  static final String RUNTIME = "liquid-runtime";
  static final String SCHEDULER = "liquid-scheduler";
  static final String SIMULATOR = "liquid-simulator";
  static final String SLURM = "liquid-slurm";

  static final String ROOT_PACKAGE = "io.github.liquidscheduler";

  /** Every class of every module that this one sees, without tests. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT_PACKAGE);

  private static final Pattern MODULE =
      Pattern.compile(
          "(?:/(liquid-[a-z-]+)/target/classes/)|(?:/(liquid-[a-z-]+)-\\d[^/]*\\.jar!)");

  private Modules() {}

  static DescribedPredicate<JavaClass> livesIn(String module) {
    return DescribedPredicate.describe(
        "live in " + module, type -> moduleOf(type.getBaseComponentType()).equals(module));
  }

  /** The module of a class, or the empty string if it belongs to none. */
  static String moduleOf(JavaClass type) {
    String source = type.getSource().map(from -> from.getUri().toString()).orElse("");
    Matcher matcher = MODULE.matcher(source);
    if (!matcher.find()) {
      return "";
    }
    return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
  }
}
