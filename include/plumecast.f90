! Plumecast for programs in Fortran 2018: what plumecast.h declares, through iso_c_binding. docs/c.md is the manual.
!
! A source, since compilers differ in what they make of a module: compile it with your program. Handles are type(c_ptr), texts
! are ended by c_null_char, statuses are integers (plumecast_ok is 0). Arrays of Fortran lie the other way round: shape
! [R, Z, N] here is [N, Z, R] there.
module plumecast
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! What became of a call (plumecast_status).
    enum, bind(c)
        enumerator :: plumecast_ok = 0, plumecast_invalid_input, plumecast_invalid_data, plumecast_invalid_model, &
            plumecast_device_error, plumecast_out_of_memory, plumecast_comm_error, plumecast_io_error, plumecast_not_converged, &
            plumecast_not_built, plumecast_interrupted, plumecast_internal
    end enum

    integer(c_int32_t), parameter :: plumecast_host = 1
    integer(c_int8_t), parameter :: plumecast_int = 0_c_int8_t, plumecast_uint = 1_c_int8_t, plumecast_float = 2_c_int8_t, &
        plumecast_bfloat = 4_c_int8_t, plumecast_bool = 6_c_int8_t
    integer(c_int32_t), parameter :: plumecast_limits_apply = 0, plumecast_limits_leave_out = 1
    integer(c_int32_t), parameter :: plumecast_extrapolate_refuse = 0, plumecast_extrapolate_nan = 1

    ! An array of the caller's in host memory, laid out like DLPack's DLTensor; default: 32-bit real numbers.
    type, bind(c) :: plumecast_array
        type(c_ptr) :: data = c_null_ptr
        integer(c_int32_t) :: device_type = plumecast_host, device_id = 0
        integer(c_int32_t) :: ndim = 0
        integer(c_int8_t) :: code = plumecast_float, bits = 32_c_int8_t
        integer(c_int16_t) :: lanes = 1_c_int16_t
        type(c_ptr) :: shape = c_null_ptr
        type(c_ptr) :: strides = c_null_ptr
        integer(c_int64_t) :: byte_offset = 0
    end type

    ! An array by its name in the data set format.
    type, bind(c) :: plumecast_named
        type(c_ptr) :: name = c_null_ptr
        type(plumecast_array) :: array
    end type

    ! Structs of options and answers begin with their size: set it by c_sizeof().
    type, bind(c) :: plumecast_device_options
        integer(c_size_t) :: size = 0
        integer(c_int32_t) :: threads = 0, bfloat16 = 0
        integer(c_int64_t) :: memory_limit = 0
        integer(c_int32_t) :: spectral = 0, reserved = 0
        real(c_double) :: memory_share = 0
    end type

    type, bind(c) :: plumecast_options
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: batch = 0
        type(c_funptr) :: progress = c_null_funptr, stop = c_null_funptr, log = c_null_funptr
        type(c_ptr) :: user = c_null_ptr
        integer(c_int32_t) :: limits = plumecast_limits_apply, reserved = 0
        type(c_funptr) :: verdict = c_null_funptr
        real(c_double) :: buildup_limit = 0
        integer(c_int32_t) :: extrapolate = plumecast_extrapolate_refuse, strict = 0
        integer(c_int32_t) :: uncertainty = 0, unused = 0
    end type

    type, bind(c) :: plumecast_quantity
        integer(c_size_t) :: size = 0
        type(c_ptr) :: name = c_null_ptr, unit = c_null_ptr, axes = c_null_ptr, long_name = c_null_ptr
        integer(c_int32_t) :: required = 0
        real(c_double) :: low = 0, high = 0, trained_low = 0, trained_high = 0
    end type

    type, bind(c) :: plumecast_cases_extents
        integer(c_size_t) :: size = 0
        integer(c_int64_t) :: cases = 0, times = 0, rows = 0, lines = 0, columns = 0
        integer(c_int32_t) :: cartesian = 0
        integer(c_int64_t) :: wells = 0, periods = 0
        integer(c_int32_t) :: axes = 0, timed = 0
    end type

    type, bind(c) :: plumecast_measures
        integer(c_size_t) :: size = 0
        type(c_ptr) :: thresholds = c_null_ptr
        integer(c_size_t) :: threshold_count = 0
        real(c_double) :: pressure_front = 0, fracture_gradient = 0, fracture_pressure = 0, fracture_factor = 0, top_depth = 0
    end type

    type, bind(c) :: plumecast_training_options
        integer(c_size_t) :: size = 0
        type(c_ptr) :: train = c_null_ptr, validation = c_null_ptr
        integer(c_int32_t) :: resume = 0, reserved = 0
        type(c_funptr) :: progress = c_null_funptr, epoch = c_null_funptr, stop = c_null_funptr, log = c_null_funptr
        type(c_ptr) :: user = c_null_ptr
    end type

    type, bind(c) :: plumecast_inversion_options
        integer(c_size_t) :: size = 0
        integer(c_int32_t) :: threads = 0, resume = 0, replace = 0, reserved = 0
        type(c_funptr) :: progress = c_null_funptr, step = c_null_funptr, stop = c_null_funptr, log = c_null_funptr
        type(c_ptr) :: user = c_null_ptr
    end type

    interface
        ! The library.
        function plumecast_abi() bind(c) result(number)
            import :: c_int32_t
            integer(c_int32_t) :: number
        end function
        function plumecast_version() bind(c) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function
        function plumecast_build_info() bind(c) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function
        function plumecast_last_error() bind(c) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function

        ! Devices.
        function plumecast_device_open(name, options, device) bind(c) result(status)
            import :: c_char, c_ptr, c_int
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: options
            type(c_ptr), intent(out) :: device
            integer(c_int) :: status
        end function
        function plumecast_device_describe(device, text) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: device
            type(c_ptr), intent(out) :: text
            integer(c_int) :: status
        end function
        function plumecast_device_trim(device) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: device
            integer(c_int) :: status
        end function
        subroutine plumecast_device_release(device) bind(c)
            import :: c_ptr
            type(c_ptr), value :: device
        end subroutine

        ! Models.
        function plumecast_model_load(device, path, model) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: device
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: model
            integer(c_int) :: status
        end function
        function plumecast_model_describe(model, json) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: model
            type(c_ptr), intent(out) :: json
            integer(c_int) :: status
        end function
        function plumecast_model_input_count(model, count) bind(c) result(status)
            import :: c_ptr, c_size_t, c_int
            type(c_ptr), value :: model
            integer(c_size_t), intent(out) :: count
            integer(c_int) :: status
        end function
        function plumecast_model_input(model, index, input) bind(c) result(status)
            import :: c_ptr, c_size_t, plumecast_quantity, c_int
            type(c_ptr), value :: model
            integer(c_size_t), value :: index
            type(plumecast_quantity), intent(inout) :: input
            integer(c_int) :: status
        end function
        function plumecast_model_field_count(model, count) bind(c) result(status)
            import :: c_ptr, c_size_t, c_int
            type(c_ptr), value :: model
            integer(c_size_t), intent(out) :: count
            integer(c_int) :: status
        end function
        function plumecast_model_field(model, index, field) bind(c) result(status)
            import :: c_ptr, c_size_t, plumecast_quantity, c_int
            type(c_ptr), value :: model
            integer(c_size_t), value :: index
            type(plumecast_quantity), intent(inout) :: field
            integer(c_int) :: status
        end function
        function plumecast_model_axis(model, name, values, count) bind(c) result(status)
            import :: c_ptr, c_char, c_size_t, c_int
            type(c_ptr), value :: model
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(out) :: values
            integer(c_size_t), intent(out) :: count
            integer(c_int) :: status
        end function
        function plumecast_model_hash(model, hash) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: model
            type(c_ptr), intent(out) :: hash
            integer(c_int) :: status
        end function
        subroutine plumecast_model_release(model) bind(c)
            import :: c_ptr
            type(c_ptr), value :: model
        end subroutine

        ! Cases.
        function plumecast_cases_create(cases) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), intent(out) :: cases
            integer(c_int) :: status
        end function
        function plumecast_cases_create_generic(axes, cases) bind(c) result(status)
            import :: c_char, c_ptr, c_int
            character(kind=c_char), intent(in) :: axes(*)
            type(c_ptr), intent(out) :: cases
            integer(c_int) :: status
        end function
        function plumecast_cases_open(path, cases) bind(c) result(status)
            import :: c_char, c_ptr, c_int
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: cases
            integer(c_int) :: status
        end function
        function plumecast_cases_set(cases, name, unit, array) bind(c) result(status)
            import :: c_ptr, c_char, plumecast_array, c_int
            type(c_ptr), value :: cases
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in) :: unit(*)
            type(plumecast_array), intent(in) :: array
            integer(c_int) :: status
        end function
        function plumecast_cases_check(cases, report) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: cases
            type(c_ptr), intent(out) :: report
            integer(c_int) :: status
        end function
        function plumecast_cases_info(cases, extents) bind(c) result(status)
            import :: c_ptr, plumecast_cases_extents, c_int
            type(c_ptr), value :: cases
            type(plumecast_cases_extents), intent(inout) :: extents
            integer(c_int) :: status
        end function
        function plumecast_cases_write(cases, path) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: cases
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: status
        end function
        subroutine plumecast_cases_release(cases) bind(c)
            import :: c_ptr
            type(c_ptr), value :: cases
        end subroutine

        ! Prediction; options may be c_null_ptr or c_loc() of plumecast_options.
        function plumecast_predict(model, cases, outputs, count, options) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: model
            type(c_ptr), value :: cases
            type(plumecast_named), intent(in) :: outputs(*)
            integer(c_size_t), value :: count
            type(c_ptr), value :: options
            integer(c_int) :: status
        end function
        function plumecast_predict_file(model, cases, path, options) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: model
            type(c_ptr), value :: cases
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), value :: options
            integer(c_int) :: status
        end function

        ! Gradients.
        function plumecast_record(model, cases, outputs, count, options, recording) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: model
            type(c_ptr), value :: cases
            type(plumecast_named), intent(in) :: outputs(*)
            integer(c_size_t), value :: count
            type(c_ptr), value :: options
            type(c_ptr), intent(out) :: recording
            integer(c_int) :: status
        end function
        function plumecast_recorded_series(recording, name, values, count) bind(c) result(status)
            import :: c_ptr, c_char, c_double, c_size_t, c_int
            type(c_ptr), value :: recording
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), intent(out) :: values(*)
            integer(c_size_t), value :: count
            integer(c_int) :: status
        end function
        function plumecast_pull_back(recording, weights, weight_count, gradients, gradient_count) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: recording
            type(plumecast_named), intent(in) :: weights(*)
            integer(c_size_t), value :: weight_count
            type(plumecast_named), intent(in) :: gradients(*)
            integer(c_size_t), value :: gradient_count
            integer(c_int) :: status
        end function
        function plumecast_retaken_steps(recording, steps, count) bind(c) result(status)
            import :: c_ptr, c_int64_t, c_size_t, c_int
            type(c_ptr), value :: recording
            integer(c_int64_t), intent(out) :: steps(*)
            integer(c_size_t), value :: count
            integer(c_int) :: status
        end function
        subroutine plumecast_recording_release(recording) bind(c)
            import :: c_ptr
            type(c_ptr), value :: recording
        end subroutine

        ! Networks by themselves; field, title, by_channels and options may be c_null_ptr.
        function plumecast_network_create(device, configuration, seed, network) bind(c) result(status)
            import :: c_ptr, c_char, c_int64_t, c_int
            type(c_ptr), value :: device
            character(kind=c_char), intent(in) :: configuration(*)
            integer(c_int64_t), value :: seed
            type(c_ptr), intent(out) :: network
            integer(c_int) :: status
        end function
        function plumecast_network_of_model(model, field, network) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: model
            type(c_ptr), value :: field
            type(c_ptr), intent(out) :: network
            integer(c_int) :: status
        end function
        function plumecast_network_describe(network, json) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: network
            type(c_ptr), intent(out) :: json
            integer(c_int) :: status
        end function
        function plumecast_network_parameter_count(network, count) bind(c) result(status)
            import :: c_ptr, c_size_t, c_int
            type(c_ptr), value :: network
            integer(c_size_t), intent(out) :: count
            integer(c_int) :: status
        end function
        function plumecast_network_parameter(network, index, parameter) bind(c) result(status)
            import :: c_ptr, c_size_t, plumecast_named, c_int
            type(c_ptr), value :: network
            integer(c_size_t), value :: index
            type(plumecast_named), intent(out) :: parameter
            integer(c_int) :: status
        end function
        function plumecast_network_read(network, parameters, count) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: network
            type(plumecast_named), intent(in) :: parameters(*)
            integer(c_size_t), value :: count
            integer(c_int) :: status
        end function
        function plumecast_network_assign(network, parameters, count) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: network
            type(plumecast_named), intent(in) :: parameters(*)
            integer(c_size_t), value :: count
            integer(c_int) :: status
        end function
        function plumecast_network_forward(network, channels, prediction, training) bind(c) result(status)
            import :: c_ptr, plumecast_array, c_int32_t, c_int
            type(c_ptr), value :: network
            type(plumecast_array), intent(in) :: channels
            type(plumecast_array), intent(in) :: prediction
            integer(c_int32_t), value :: training
            integer(c_int) :: status
        end function
        function plumecast_network_vjp(network, channels, cotangent, by_channels, by_parameters, count, training) bind(c) &
            result(status)
            import :: c_ptr, plumecast_array, plumecast_named, c_size_t, c_int32_t, c_int
            type(c_ptr), value :: network
            type(plumecast_array), intent(in) :: channels
            type(plumecast_array), intent(in) :: cotangent
            type(c_ptr), value :: by_channels
            type(plumecast_named), intent(in) :: by_parameters(*)
            integer(c_size_t), value :: count
            integer(c_int32_t), value :: training
            integer(c_int) :: status
        end function
        function plumecast_network_inputs(network, cases, arrays, count, options) bind(c) result(status)
            import :: c_ptr, plumecast_named, c_size_t, c_int
            type(c_ptr), value :: network
            type(c_ptr), value :: cases
            type(plumecast_named), intent(in) :: arrays(*)
            integer(c_size_t), value :: count
            type(c_ptr), value :: options
            integer(c_int) :: status
        end function
        function plumecast_network_load(network, path) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: network
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int) :: status
        end function
        function plumecast_network_save(network, path, title) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: network
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), value :: title
            integer(c_int) :: status
        end function
        subroutine plumecast_network_release(network) bind(c)
            import :: c_ptr
            type(c_ptr), value :: network
        end subroutine

        ! Metrics and training; measures may be c_null_ptr.
        function plumecast_evaluate(model, cases, options, json) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: model
            type(c_ptr), value :: cases
            type(c_ptr), value :: options
            type(c_ptr), intent(out) :: json
            integer(c_int) :: status
        end function
        function plumecast_measure(cases, measures, json) bind(c) result(status)
            import :: c_ptr, c_int
            type(c_ptr), value :: cases
            type(c_ptr), value :: measures
            type(c_ptr), intent(out) :: json
            integer(c_int) :: status
        end function
        function plumecast_train(device, recipe, options) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: device
            character(kind=c_char), intent(in) :: recipe(*)
            type(c_ptr), value :: options
            integer(c_int) :: status
        end function
        function plumecast_invert(device, configuration, options) bind(c) result(status)
            import :: c_ptr, c_char, c_int
            type(c_ptr), value :: device
            character(kind=c_char), intent(in) :: configuration(*)
            type(c_ptr), value :: options
            integer(c_int) :: status
        end function

        function plumecast_strlen(text) bind(c, name="strlen") result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface

contains

    ! A text of the library as a string of Fortran.
    function plumecast_text(text) result(string)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: string
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        call c_f_pointer(text, letters, [plumecast_strlen(text)])
        allocate (character(len=size(letters)) :: string)
        do i = 1, size(letters)
            string(i:i) = letters(i)
        end do
    end function

    ! Ends the program with the library's message when a call failed.
    subroutine plumecast_require(status)
        integer(c_int), intent(in) :: status
        if (status == plumecast_ok) return
        write (*, '(a)') plumecast_text(plumecast_last_error())
        error stop 1
    end subroutine

    ! An array of 32-bit numbers and its shape, slowest axis first as in C; both must stay where they are.
    function plumecast_array_of(values, shape) result(array)
        real(c_float), target, contiguous, intent(in) :: values(:)
        integer(c_int64_t), target, contiguous, intent(in) :: shape(:)
        type(plumecast_array) :: array
        array%data = c_loc(values)
        array%ndim = size(shape)
        array%shape = c_loc(shape)
    end function
end module
