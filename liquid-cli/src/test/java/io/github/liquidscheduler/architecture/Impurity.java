package io.github.liquidscheduler.architecture;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A way for something other than events to reach a decision. */
enum Impurity {
  CLOCK(
      reach(
              "read a clock",
              target ->
                  is(target, "java.lang.System", "currentTimeMillis", "nanoTime")
                      || (inPackage(target, "java.time") && target.getName().equals("now"))
                      || isUnseeded(target, "java.util.Date"))
          .or(know("java\\.time\\.(Clock|InstantSource)", "java\\.util\\.(Gregorian)?Calendar"))),

  ENVIRONMENT(
      reach(
              "read the environment",
              target ->
                  is(target, "java.lang.System", "getenv", "getProperty", "getProperties")
                      || is(target, "java.lang.Boolean", "getBoolean")
                      || is(target, "java.lang.Integer", "getInteger")
                      || is(target, "java.lang.Long", "getLong")
                      || is(target, "java.util.Locale", "getDefault")
                      || is(target, "java.time.ZoneId", "systemDefault"))
          .or(know("java\\.lang\\.(Runtime|Process|ProcessBuilder|ProcessHandle)"))),

  CONSOLE(
      reach(
          "use the console",
          target ->
              is(target, "java.lang.System", "out", "err", "in", "console", "exit")
                  || target.getName().equals("printStackTrace"))),

  THREAD(
      reach(
              "run in parallel",
              target -> named(target, "parallelStream", "parallel", "parallelSort"))
          .or(
              know(
                  "java\\.lang\\.(Thread|ThreadGroup|ThreadLocal|InheritableThreadLocal)",
                  "java\\.util\\.(Timer|TimerTask)",
                  "java\\.util\\.concurrent\\.(.*Executor.*|ForkJoin.*|.*Future.*|.*Thread.*)"))),

  RANDOMNESS(
      reach(
              "draw without a seed",
              target ->
                  is(target, "java.lang.Math", "random")
                      || is(target, "java.lang.StrictMath", "random")
                      || is(target, "java.util.UUID", "randomUUID")
                      || is(target, "java.lang.System", "identityHashCode")
                      || isUnseeded(target, "java.util.Random")
                      || isUnseeded(target, "java.util.SplittableRandom")
                      || (is(target, "java.util.Collections", "shuffle") && parameters(target) == 1)
                      || is(target, "java.util.random.RandomGenerator", "getDefault", "of"))
          .or(
              know(
                  "java\\.security\\.SecureRandom",
                  "java\\.util\\.concurrent\\.ThreadLocalRandom",
                  "java\\.util\\.(IdentityHashMap|WeakHashMap)"))),

  INPUT_OUTPUT(
      know(
          "java\\.io\\.(?!Serializable).*",
          "java\\.net\\..*",
          "java\\.nio\\.(file|channels)\\..*")),

  /** The JDK's immutable sets and maps change their order with each start of a JVM, on purpose. */
  UNSTABLE_ORDER(
      reach(
          "use a set or map whose order differs between runs",
          target ->
              is(target, "java.util.Set", "copyOf")
                  || is(target, "java.util.Map", "copyOf", "ofEntries")
                  || (is(target, "java.util.Set", "of") && parameters(target) != 0)
                  || (is(target, "java.util.Map", "of") && parameters(target) > 2)
                  || named(target, "toUnmodifiableSet", "toUnmodifiableMap"))),

  CHANGING_STATIC(new ChangingStatic());

  private final ArchCondition<JavaClass> found;

  Impurity(ArchCondition<JavaClass> found) {
    this.found = found;
  }

  ArchCondition<JavaClass> found() {
    return found;
  }

  private static ArchCondition<JavaClass> reach(String what, Predicate<AccessTarget> forbidden) {
    DescribedPredicate<JavaAccess<?>> predicate =
        DescribedPredicate.describe(what, access -> forbidden.test(access.getTarget()));
    return accessTargetWhere(predicate).as(what);
  }

  private static ArchCondition<JavaClass> know(String... classNames) {
    Pattern forbidden = Pattern.compile(String.join("|", classNames));
    return dependOnClassesThat(
        DescribedPredicate.describe(
            "match " + forbidden,
            type -> forbidden.matcher(type.getBaseComponentType().getName()).matches()));
  }

  private static boolean is(AccessTarget target, String owner, String... names) {
    return target.getOwner().getName().equals(owner) && named(target, names);
  }

  private static boolean named(AccessTarget target, String... names) {
    return Set.of(names).contains(target.getName());
  }

  private static boolean inPackage(AccessTarget target, String name) {
    return target.getOwner().getPackageName().startsWith(name);
  }

  private static boolean isUnseeded(AccessTarget target, String owner) {
    return is(target, owner, "<init>") && parameters(target) == 0;
  }

  private static int parameters(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget code ? code.getRawParameterTypes().size() : 0;
  }

  /** A static field that is reassigned, or whose type is made to be changed. */
  private static final class ChangingStatic extends ArchCondition<JavaClass> {
    private static final Pattern CHANGING =
        Pattern.compile("java\\.util\\.concurrent\\..*|java\\.lang\\.StringBu(ilder|ffer)");

    ChangingStatic() {
      super("have a static that changes");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      type.getFields().stream()
          .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
          .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
          .forEach(field -> events.add(event(field)));
    }

    private static SimpleConditionEvent event(JavaField field) {
      boolean changes =
          !field.getModifiers().contains(JavaModifier.FINAL)
              || CHANGING.matcher(field.getRawType().getName()).matches();
      return new SimpleConditionEvent(field, changes, field.getFullName() + " may change");
    }
  }
}
